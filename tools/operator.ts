// `npm run operator -- limits …`: reads and sets limits of a deployment, over its operator paths (docs/operations.md).
import { parseArgs } from 'node:util'
import { readAddress } from '../client/src/cli/config/address.ts'
import { Failure } from '../client/src/cli/failure.ts'
import { visible } from '../client/src/cli/output/visible.ts'
import { NotFoundError, Recollect, type components, type OperationOf, type RequestInput } from 'recollect'

export const HELP = `Reads and sets the limits of a deployment.

  npm run operator -- limits list [--count=20]
  npm run operator -- limits show [subject]
  npm run operator -- limits set [subject] [--service-accounts] <name>=<number>|none …
  npm run operator -- limits changes [subject] [--count=20]

The subject is one of these (default: the deployment):
  --tenant=ten_…  --user=usr_…  --key=key_…

The most specific limit applies: of the key, the user, the tenant, then the deployment.
"none" removes a setting. A change takes effect within a minute.

  --service-accounts   the limits of service accounts of a tenant or the deployment
  --url=ADDRESS        address of the service (default: RECOLLECT_URL, then http://localhost:8787)
  --json               print the response of the service as JSON
  --help               show this text

The operator key comes from the variable OPERATOR_KEY: the part after "k1:" in OPERATOR_KEYS.

"list" shows every subject with limits of its own, most recently changed first.

Examples:
  npm run operator -- limits show --tenant=ten_01K8E3Z4T7Q9V6N2M5B8C1D0FG
  npm run operator -- limits set --tenant=ten_01K8E3Z4T7Q9V6N2M5B8C1D0FG memory.search=50 memory.store=100
  npm run operator -- limits set --tenant=ten_01K8E3Z4T7Q9V6N2M5B8C1D0FG --service-accounts memory.search=500
  npm run operator -- limits set --key=key_01K8E3Z4T7Q9V6N2M5B8C1D0FG api-key=300
  npm run operator -- limits set memory.search=none
  npm run operator -- limits list --count=100
  npm run operator -- limits changes --count=5`

interface Options {
  args: string[]
  env: Record<string, string | undefined>
  say: (line: string) => void
  fetch?: typeof fetch
}

type Values = ReturnType<typeof readArguments>['values']
type Limits = components['schemas']['OperatorLimits']
type LimitsBody = NonNullable<RequestInput<OperationOf<'PATCH', '/v1/operator/limits/{subject}'>>['body']>

function readArguments(args: string[]) {
  return parseArgs({
    args,
    allowPositionals: true,
    options: {
      tenant: { type: 'string' },
      user: { type: 'string' },
      key: { type: 'string' },
      url: { type: 'string' },
      count: { type: 'string', default: '20' },
      'service-accounts': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
}

/** Runs one command. Throws an error of one readable line. */
export async function operate({ args, env, say, fetch }: Options): Promise<void> {
  const { values, positionals } = readArguments(args)
  const [noun, verb, ...assignments] = positionals
  if (values.help || noun === undefined) return say(HELP)
  if (noun !== 'limits' || !['list', 'show', 'set', 'changes'].includes(verb ?? ''))
    throw new Error(`"${positionals.join(' ')}" is not a command. See: npm run operator -- --help`)
  if (verb !== 'set' && assignments.length > 0) throw new Error(`Unexpected argument: "${assignments[0]}".`)
  const key = env['OPERATOR_KEY']
  if (!key) throw new Error('Set OPERATOR_KEY to an operator key: the part after "k1:" in OPERATOR_KEYS.')
  const client = new Recollect({
    baseUrl: readAddress(values.url ?? env['RECOLLECT_URL'] ?? 'http://localhost:8787'),
    credential: { accessToken: key.replace(/^[a-z0-9]{1,16}:/, '') },
    ...(fetch ? { fetch } : {}),
  })
  if (verb === 'changes') return changes(client, values, say)
  if (verb === 'list') return list(client, values, say)
  const path = { subject: subjectOf(values) ?? 'deployment' }
  const limits =
    verb === 'set'
      ? await client.request('PATCH', '/v1/operator/limits/{subject}', { path, body: bodyOf(values, assignments) })
      : await client.request('GET', '/v1/operator/limits/{subject}', { path })
  if (values.json) say(JSON.stringify(limits))
  else for (const line of tableOf(limits)) say(line)
}

function subjectOf({ tenant, user, key }: Values): string | undefined {
  const named = [tenant, user, key].filter((id) => id !== undefined)
  if (named.length > 1) throw new Error('Use only one of --tenant, --user and --key.')
  return named[0]
}

function bodyOf(values: Values, assignments: readonly string[]): LimitsBody {
  if (assignments.length === 0) throw new Error('A limit and its number are missing, such as memory.search=50.')
  const limits = Object.fromEntries(assignments.map(assignmentOf))
  return values['service-accounts'] ? { service_account_limits: limits } : { limits }
}

function assignmentOf(text: string): [string, number | null] {
  const [, name, value] = /^([a-z.-]+)=(\d+|none)$/.exec(text) ?? []
  if (name === undefined)
    throw new Error(`"${text}" is not a limit and a number, such as memory.search=50 or memory.search=none.`)
  return [name, value === 'none' ? null : Number(value)]
}

function tableOf({ subject, limits }: Limits): string[] {
  const heading = ['limit', 'of', 'set', 'in force', 'most']
  const rows = limits.map((one) => [
    one.name,
    one.account_class.replace('_', ' '),
    one.set === null ? '–' : String(one.set),
    `${one.limit} in ${one.window_seconds} s`,
    String(one.max),
  ])
  const widths = heading.map((_, column) => Math.max(...[heading, ...rows].map((row) => row[column]?.length ?? 0)))
  const line = (row: string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return [visible(subject), ...[heading, ...rows].map(line)]
}

function countOf(values: Values): number {
  const count = Number(values.count)
  if (!Number.isInteger(count) || count < 1) throw new Error('--count must be a number of at least 1.')
  return count
}

/** Reads pages of the service until there are enough rows. A page has a hundred at most. */
async function list(client: Recollect, values: Values, say: (line: string) => void): Promise<void> {
  if (subjectOf(values) !== undefined) throw new Error('"limits list" shows all subjects: omit the subject.')
  let [left, cursor] = [countOf(values), '']
  do {
    const page = await client.request('GET', '/v1/operator/limits', {
      query: { limit: Math.min(left, 100), ...(cursor === '' ? {} : { cursor }) },
    })
    if (values.json) say(JSON.stringify(page))
    else
      for (const { updated_at, subject, tenant_id, limits } of page.data) {
        const set = limits.map(({ name, account_class, set: permits }) =>
          account_class === 'service_accounts' ? `${name} of service accounts ${permits}` : `${name} ${permits}`,
        )
        const of = tenant_id === null || tenant_id === subject ? '' : ` of ${tenant_id}`
        say(visible(`${updated_at}  ${subject}${of}  ${set.join(', ')}`))
      }
    if (page.data.length === 0 && !values.json) say('No subject has limits of its own.')
    left -= page.data.length
    cursor = page.has_more ? (page.next_cursor ?? '') : ''
  } while (left > 0 && cursor !== '')
}

async function changes(client: Recollect, values: Values, say: (line: string) => void): Promise<void> {
  const count = countOf(values)
  if (count > 100) throw new Error('--count must be a number from 1 to 100.')
  const subject = subjectOf(values)
  const page = await client.request('GET', '/v1/operator/changes', {
    query: { limit: count, ...(subject === undefined ? {} : { subject }) },
  })
  if (values.json) return say(JSON.stringify(page))
  for (const { at, operator, subject: of, changes: made } of page.data) {
    const what = made.map(({ name, account_class, from, to }) => {
      const whose = account_class === 'service_accounts' ? `${name} of service accounts` : name
      return `${whose} ${from ?? 'none'} → ${to ?? 'none'}`
    })
    say(visible(`${at}  ${operator}  ${of}  ${what.join(', ')}`))
  }
  if (page.data.length === 0) say('Nothing was changed.')
}

/** A failure in one line, with its remedy. */
export function inWords(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof Failure && error.hint) return `${message} ${error.hint}`
  if (error instanceof NotFoundError && message === 'No such path.')
    return 'This deployment has no operator key: set OPERATOR_KEYS (docs/operations.md).'
  return message
}

if (import.meta.main) {
  try {
    await operate({ args: process.argv.slice(2), env: process.env, say: (line) => console.log(line) })
  } catch (error) {
    console.error(visible(inWords(error)))
    process.exitCode = 1
  }
}
