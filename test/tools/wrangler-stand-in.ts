import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, type Ran, type Wrangler } from '../../tools/wrangler.ts'

const ok = (stdout = ''): Ran => ({ code: 0, stdout, stderr: '' })
/** Commands that change nothing. */
export const READING =
  /^(whoami|d1 list|d1 execute \S+ --remote --json --command=select 1|queues list|vectorize list|secret list|deployments status|versions view)/

const failed = (stderr: string): Ran => ({ code: 1, stdout: '', stderr })

/** The configuration that a command names. */
const configOf = (args: readonly string[]) =>
  JSON.parse(readFileSync(join(ROOT, args[args.indexOf('--config') + 1] ?? ''), 'utf8'))

/** The id of the database that `d1 VERB NAME` reaches: the one that the named configuration binds under this name. */
export function idNamedBy(args: readonly string[]): string | undefined {
  const bound: Record<string, string>[] = configOf(args).d1_databases
  return bound.find(({ binding }) => binding === args[2])?.['database_id']
}

/**
 * A stand-in for wrangler with one account, in the output format of wrangler 4.164. It records the commands, and
 * refuses to create a resource twice as wrangler does.
 */
export class Account {
  readonly calls: { args: string[]; stdin: string | undefined }[] = []
  readonly databases = new Map<string, string>()
  /** Where each database runs, by its name; nobody knows of one that is not here. */
  readonly regions = new Map<string, string>()
  /** The variables of the Worker; null before the first deployment. */
  vars: Record<string, string> | null = null
  readonly queues: string[] = []
  readonly indexes = new Map<string, Set<string>>()
  readonly dimensions = new Map<string, number>()
  readonly metrics = new Map<string, string>()
  readonly secrets = new Map<string, string>()
  readonly buckets: string[] = []
  /** The R2 bucket that the deployed Worker is bound to, by binding; null before the first deployment. */
  bound: Record<string, string> | null = null
  loggedIn = true
  hasR2 = true

  /** Commands that change something. */
  get changes(): string[] {
    return this.calls.map(({ args }) => args.join(' ')).filter((line) => !READING.test(line))
  }

  readonly wrangler: Wrangler = async (args, stdin) => {
    this.calls.push({ args, stdin })
    const [group = '', verb = '', name = ''] = args
    switch (`${group} ${verb}`) {
      case 'whoami --json':
        return this.loggedIn ? ok(JSON.stringify({ accounts: [{ name: 'Example', id: 'a' }] })) : failed('')
      case 'd1 list':
        return ok(JSON.stringify([...this.databases].map(([one, uuid]) => ({ name: one, uuid }))))
      case 'd1 create':
        if (this.databases.has(name)) return failed(`A database with the name ${name} already exists`)
        this.databases.set(name, `uuid-of-${name}`)
        for (const arg of args) if (arg.startsWith('--location=')) this.regions.set(name, arg.slice(11))
        return ok()
      case 'd1 execute':
        return ok(
          JSON.stringify([{ results: [{ 1: 1 }], success: true, meta: { duration: 0.1, ...this.#servedBy(args) } }]),
        )
      case 'deployments status':
        return this.vars ? ok('{"versions":[{"version_id":"v1","percentage":100}]}') : failed('has no deployments')
      case 'versions view': {
        const variables = Object.entries(this.vars ?? {}).map(([one, text]) => ({
          type: 'plain_text',
          name: one,
          text,
        }))
        const buckets = Object.entries(this.bound ?? {}).map(([one, bucket_name]) => ({
          type: 'r2_bucket',
          name: one,
          bucket_name,
        }))
        const bindings = [{ type: 'd1', name: 'DB' }, ...variables, ...buckets]
        return ok(JSON.stringify({ id: 'v1', resources: { bindings } }))
      }
      case 'd1 migrations':
        return ok('No migrations to apply!')
      case 'queues list':
        return ok(this.#queueTable(Number(args.at(-1))))
      case 'queues create':
        if (this.queues.includes(name)) return failed(`Queue name '${name}' is already taken`)
        this.queues.push(name)
        return ok()
      case 'vectorize list':
        return ok(
          JSON.stringify(
            [...this.dimensions].map(([one, dimensions]) => ({
              name: one,
              config: { dimensions, metric: this.metrics.get(one) ?? 'cosine' },
            })),
          ),
        )
      case 'vectorize create':
        this.indexes.set(name, new Set())
        this.dimensions.set(name, Number(/--dimensions=(\d+)/.exec(args.join(' '))?.[1]))
        return ok()
      case 'vectorize list-metadata-index':
        return ok(JSON.stringify([...(this.indexes.get(name) ?? [])].map((propertyName) => ({ propertyName }))))
      case 'vectorize create-metadata-index':
        this.indexes.get(name)?.add(/--propertyName=(\w+)/.exec(args.join(' '))?.[1] ?? '')
        return ok()
      case 'secret list':
        return this.secrets.size === 0
          ? failed('Worker "recollect" not found.')
          : ok(JSON.stringify([...this.secrets.keys()].map((one) => ({ name: one, type: 'secret_text' }))))
      case 'secret bulk':
        for (const [one, value] of Object.entries(JSON.parse(stdin ?? '{}'))) this.secrets.set(one, String(value))
        return ok()
      case 'r2 bucket':
        return this.#makeBucket(args[3] ?? '')
      default:
        return group === 'deploy' ? this.#deploy(args) : failed(args.join(' '))
    }
  }

  #makeBucket(name: string): Ran {
    if (!this.hasR2) return failed('Please enable R2 through the Cloudflare Dashboard. [code: 10042]')
    if (this.buckets.includes(name))
      return failed('The bucket you tried to create already exists, and you own it. [code: 10004]')
    this.buckets.push(name)
    return ok(`Created bucket '${name}' with default storage class of Standard.`)
  }

  #deploy(args: readonly string[]): Ran {
    const { vars, r2_buckets = [] } = configOf(args)
    const buckets: { binding: string; bucket_name: string }[] = r2_buckets
    const missing = buckets.find(({ bucket_name }) => !this.buckets.includes(bucket_name))
    if (missing) return failed(`R2 bucket '${missing.bucket_name}' not found. [code: 10085]`)
    this.vars = vars
    this.bound = Object.fromEntries(buckets.map(({ binding, bucket_name }) => [binding, bucket_name]))
    return ok('Deployed recollect\n  https://recollect.example.workers.dev')
  }

  /** What D1 tells with each answer, of the database that a configuration binds under this name. */
  #servedBy(args: readonly string[]): { served_by_region?: string } {
    const id = idNamedBy(args)
    const [name = ''] = [...this.databases].find(([, uuid]) => uuid === id) ?? []
    const region = this.regions.get(name)
    return region === undefined ? {} : { served_by_region: region.toUpperCase() }
  }

  /** Ten queues a page, as `wrangler queues list` prints them. */
  #queueTable(page: number): string {
    const shown = this.queues.slice((page - 1) * 10, page * 10)
    const rows = shown.map((name, at) => `│ ${String(at).padStart(32, 'a')} │ ${name} │ 2026-11-21 │ 1 │ 1 │`)
    return ['┌─┐', '│ id │ name │ created_on │ producers │ consumers │', ...rows, '└─┘'].join('\n')
  }
}
