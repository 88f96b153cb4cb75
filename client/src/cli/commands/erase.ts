import { Command, Option } from 'commander'
import type { Recollect } from '../../index.ts'
import { EXIT } from '../exit-codes.ts'
import { Failure } from '../failure.ts'
import { nextLine, type Io } from '../io.ts'
import { count, counted } from '../output/progress.ts'
import { visibleLine } from '../output/visible.ts'
import type { Service } from '../service.ts'
import type { Context } from './context.ts'
import { collect, defined, examples } from './options.ts'

type Erasure = Awaited<ReturnType<Recollect['erasures']['retrieve']>>
type Request = Parameters<Recollect['erasures']['create']>[0]

/** An erasure takes about two minutes. */
const POLL_MS = 3_000

interface EraseOptions {
  namespace?: string
  subject?: string
  project?: string[]
  dryRun?: true
  yes?: true
}

export const eraseCommand = (ctx: Context): Command =>
  new Command('erase')
    .description('Erase a subject or a namespace for good, wait until it is done and show the receipt')
    .option('-s, --subject <name>', 'erase all items about this subject, including those of other users')
    .addOption(
      new Option(
        '-n, --namespace <name>',
        'erase all items in this namespace, including those of other users',
      ).conflicts('subject'),
    )
    .addOption(
      new Option('-p, --project <id>', 'only in this project (repeatable; default: all that you administer)').argParser(
        collect,
      ),
    )
    .option('--dry-run', 'only count what would be erased')
    .option('-y, --yes', 'erase without asking')
    .addHelpText(
      'after',
      examples(
        'recollect erase --subject ada@example.com --dry-run',
        'recollect erase --namespace customers:ada --yes',
      ) + '\n\nThe command needs a key with the scope admin:workspace. The service keeps the receipt.',
    )
    .action(async ({ namespace, subject, project, dryRun, yes }: EraseOptions, command: Command) => {
      const name = subject ?? namespace
      if (name === undefined) throw new Failure(EXIT.usage, 'Name what to erase: --subject or --namespace.')
      const service = await ctx.service(command)
      const request: Request = defined({ namespace, subject, project_ids: project })
      if (dryRun || !yes) {
        const dry = await service.call((client, call) => client.erasures.create({ ...request, dry_run: true }, call))
        if (dryRun) return ctx.show(command, dry, countsLine)
        ctx.say(countsLine(dry))
        await requireName(ctx.io, name)
      }
      const requested = await service.call((client, call) => client.erasures.create(request, call))
      if ('dry_run' in requested) throw new Failure(EXIT.failure, 'The service counted the items and erased nothing.')
      ctx.say(`${requested.id} is running. Ctrl-C does not stop it.`)
      const ended = await waitForEnd(ctx.io, service, requested)
      await ctx.show(command, ended, receipt)
    })

/** The name must be typed: it is erased for good. */
async function requireName(io: Io, name: string): Promise<void> {
  if (io.stdin.isTTY !== true)
    throw new Failure(EXIT.usage, 'Without a terminal, the command cannot ask.', { hint: 'To erase it, use --yes' })
  io.stderr.write(`This cannot be undone. Type ${visibleLine(name)} to erase it: `)
  if ((await nextLine(io)).trim() !== name) throw new Failure(EXIT.interrupted, 'Stopped. Nothing was erased.')
}

async function waitForEnd(io: Io, service: Service, { id }: Erasure): Promise<Erasure> {
  for (;;) {
    const now = await service.call((client, call) => client.erasures.retrieve(id, call))
    if (now.status !== 'running') return now
    if (io.interrupted.aborted)
      throw new Failure(EXIT.interrupted, `Stopped waiting. The service continues with ${id}.`)
    await io.sleep(POLL_MS)
  }
}

const countsLine = ({ counts, covers }: Pick<Erasure, 'counts' | 'covers'>): string => {
  const { items, retired, versions, vectors, events, deliveries } = counts
  const parts = [
    `${counted(items, 'item')} (${count(retired)} retired)`,
    counted(versions, 'earlier text'),
    counted(vectors, 'vector'),
    counted(events, 'event'),
    counted(deliveries, 'waiting delivery', 'waiting deliveries'),
  ]
  return `${parts.join(', ')} in ${counted(covers.project_ids.length, 'project')}`
}

const receipt = (erasure: Erasure): string =>
  [
    `Erased: ${countsLine(erasure)}`,
    `Receipt: ${erasure.id}`,
    `Digest: ${erasure.digest}`,
    `Erased at: ${erasure.erased_at}`,
    `Index rewritten at: ${erasure.index_rewritten_at ?? 'within a day'}`,
    `Restorable until: ${erasure.restorable_until}`,
    ...kept('Keys that name it', erasure.kept?.key_ids),
    ...kept('Subscriptions that name it', erasure.kept?.subscription_ids),
  ].join('\n')

const kept = (what: string, ids: readonly string[] = []): string[] =>
  ids.length > 0 ? [`${what}: ${ids.join(', ')}`] : []
