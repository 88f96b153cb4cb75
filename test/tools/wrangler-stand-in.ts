import type { Ran, Wrangler } from '../../tools/wrangler.ts'

const ok = (stdout = ''): Ran => ({ code: 0, stdout, stderr: '' })
const failed = (stderr: string): Ran => ({ code: 1, stdout: '', stderr })

/**
 * A stand-in for wrangler with one account, in the output format of wrangler 4.164. It records the commands, and
 * refuses to create a resource twice as wrangler does.
 */
export class Account {
  readonly calls: { args: string[]; stdin: string | undefined }[] = []
  readonly databases = new Map<string, string>()
  readonly queues: string[] = []
  readonly indexes = new Map<string, Set<string>>()
  readonly secrets = new Map<string, string>()
  loggedIn = true

  /** Commands that change something. */
  get changes(): string[] {
    const reading = /^(whoami|d1 list|queues list|vectorize list|secret list)/
    return this.calls.map(({ args }) => args.join(' ')).filter((line) => !reading.test(line))
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
        return ok()
      case 'd1 migrations':
        return ok('No migrations to apply!')
      case 'queues list':
        return ok(this.#queueTable(Number(args.at(-1))))
      case 'queues create':
        if (this.queues.includes(name)) return failed(`Queue name '${name}' is already taken`)
        this.queues.push(name)
        return ok()
      case 'vectorize list':
        return ok(JSON.stringify([...this.indexes.keys()].map((one) => ({ name: one }))))
      case 'vectorize create':
        this.indexes.set(name, new Set())
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
      default:
        return group === 'deploy'
          ? ok('Deployed recollect\n  https://recollect.example.workers.dev')
          : failed(args.join(' '))
    }
  }

  /** Ten queues a page, as `wrangler queues list` prints them. */
  #queueTable(page: number): string {
    const shown = this.queues.slice((page - 1) * 10, page * 10)
    const rows = shown.map((name, at) => `│ ${String(at).padStart(32, 'a')} │ ${name} │ 2026-11-21 │ 1 │ 1 │`)
    return ['┌─┐', '│ id │ name │ created_on │ producers │ consumers │', ...rows, '└─┘'].join('\n')
  }
}
