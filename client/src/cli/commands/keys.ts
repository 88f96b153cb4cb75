import { Command, Option } from 'commander'
import type { Recollect } from '../../index.ts'
import { EXIT } from '../exit-codes.ts'
import { Failure } from '../failure.ts'
import { openBrowser } from '../login/browser.ts'
import { table, type Column } from '../output/table.ts'
import { minute } from '../output/when.ts'
import { visibleLine } from '../output/visible.ts'
import type { Context } from './context.ts'
import { collect, defined, examples, wholeNumber } from './options.ts'

type Scope = Parameters<Recollect['keys']['create']>[0]['scopes'][number]

interface Key {
  id: string
  name: string
  scopes: string[]
  environment: string
  last_used_at: string | null
  expires_at: string | null
}

interface CreateOptions {
  scope: Scope[]
  environment: 'live' | 'test'
  project?: string[]
  readOnly?: true
  expiresAt?: string
}

const OVERLAP = 86_400
const LONGEST_OVERLAP = 604_800

const COLUMNS: readonly Column<Key>[] = [
  { title: 'ID', value: ({ id }) => id },
  { title: 'ENV', value: ({ environment }) => environment },
  { title: 'LAST USED', value: ({ last_used_at }) => minute(last_used_at) || 'never' },
  { title: 'EXPIRES', value: ({ expires_at }) => minute(expires_at) || 'never' },
  { title: 'NAME', value: ({ name }) => name },
  { title: 'SCOPES', value: ({ scopes }) => scopes.join(' '), rest: true },
]

export const keysCommand = (ctx: Context): Command =>
  new Command('keys')
    .description('Manage API keys with an admin key; otherwise, open the portal page')
    .addHelpText(
      'after',
      examples(
        'recollect keys',
        'recollect keys create "search only" --scope read:memory --project prj_01J…',
        'recollect keys rotate key_01J… --overlap 3600',
      ) + '\n\nAn admin key has the scope admin:workspace. A new key is printed once.',
    )
    .action((_options: object, command: Command) => listKeys(ctx, command))
    .addCommand(
      new Command('list')
        .description('List API keys')
        .addHelpText('after', examples('recollect keys list'))
        .action((_options: object, command: Command) => listKeys(ctx, command)),
    )
    .addCommand(createCommand(ctx))
    .addCommand(
      new Command('rotate')
        .description('Create a successor to a key; both keys work for a while')
        .argument('<id>', 'key_…')
        .addOption(
          new Option('--overlap <seconds>', 'how long the old key keeps working')
            .argParser(wholeNumber(0, LONGEST_OVERLAP))
            .default(OVERLAP),
        )
        .addHelpText('after', examples('recollect keys rotate key_01J…'))
        .action((id: string, { overlap }: { overlap: number }, command: Command) =>
          withAdmin(ctx, command, async (service) => {
            const made = await service.call((client, call) =>
              client.keys.rotate(id, { overlap_seconds: overlap }, call),
            )
            await showSecret(ctx, command, made)
          }),
        ),
    )
    .addCommand(
      new Command('revoke')
        .description('Revoke a key immediately')
        .argument('<id>', 'key_…')
        .addHelpText('after', examples('recollect keys revoke key_01J…'))
        .action((id: string, _options: object, command: Command) =>
          withAdmin(ctx, command, async (service) => {
            await service.call((client, call) => client.keys.delete(id, call))
            await ctx.show(command, { revoked: id }, () => `Revoked: ${visibleLine(id)}`)
          }),
        ),
    )

const createCommand = (ctx: Context): Command =>
  new Command('create')
    .description('Create an API key; its secret is printed once')
    .argument('<name>', 'name to show in the list')
    .addOption(
      new Option('-s, --scope <scope>', 'scope of the key (repeatable)').argParser(collect).makeOptionMandatory(),
    )
    .addOption(new Option('--environment <name>', 'live or test').choices(['live', 'test']).default('live'))
    .addOption(new Option('-p, --project <id>', 'limit the key to this project (repeatable)').argParser(collect))
    .option('--read-only', 'limit the key to reading its projects')
    .option('--expires-at <time>', 'expiry time: ISO 8601 with Z or an offset')
    .addHelpText(
      'after',
      examples('recollect keys create ci --scope read:memory --scope write:memory --environment test'),
    )
    .action((name: string, options: CreateOptions, command: Command) =>
      withAdmin(ctx, command, async (service) => {
        const access = options.readOnly ? ('read' as const) : ('write' as const)
        const made = await service.call((client, call) =>
          client.keys.create(
            {
              name,
              scopes: options.scope,
              environment: options.environment,
              ...defined({
                expires_at: options.expiresAt,
                permissions: options.project?.map((project_id) => ({ project_id, access })),
              }),
            },
            call,
          ),
        )
        await showSecret(ctx, command, made)
      }),
    )

const listKeys = (ctx: Context, command: Command): Promise<void> =>
  withAdmin(ctx, command, async (service) => {
    const page = await service.call((client, call) => client.keys.list({ limit: 100 }, call))
    await ctx.show(command, page, ({ data }) =>
      data.length === 0 ? 'No keys.' : table(data, COLUMNS, ctx.columns, ctx.paint(command)),
    )
  })

/** The secret stands alone on standard output, for a file or a secret store. */
async function showSecret(ctx: Context, command: Command, made: { id: string; key: string | null }): Promise<void> {
  if (made.key === null)
    throw new Failure(EXIT.failure, `${made.id} was already created; its secret was shown at that time.`)
  if (!ctx.wantsJson(command)) ctx.say(`${made.id}. This is shown once:`)
  await ctx.show(command, made, ({ key }) => key ?? '')
}

/** Runs `task`; where the credential may manage no keys, the page of the portal opens. */
async function withAdmin(
  ctx: Context,
  command: Command,
  task: (service: Awaited<ReturnType<Context['service']>>) => Promise<void>,
): Promise<void> {
  const service = await ctx.service(command)
  try {
    return await task(service)
  } catch (error) {
    const notAdmin = error instanceof Failure && ['session_required', 'insufficient_scope'].includes(error.code ?? '')
    if (!notAdmin) throw error
    const page = `${service.url}/portal/keys`
    const opened = ctx.io.stderr.isTTY === true && (await openBrowser(ctx.io, page))
    throw new Failure(EXIT.forbidden, `API keys are managed in the portal: ${page}`, {
      code: error.code ?? '',
      hint: opened ? 'Opening the page in your browser.' : 'Open it in a browser, or use a key with admin:workspace.',
    })
  }
}
