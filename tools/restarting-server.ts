import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { ServerOutput } from './server-output.ts'
import { spawnServer } from './wrangler.ts'

const PROBE_MS = 10_000
/** A busy machine may miss a probe. */
const MAX_MISSES = 3
const STOP_MS = 10_000
const START_PROBES = 60
const FREE_MS = 100

/** The message of wrangler for both its runtimes. It restarts the inner one; the outer one comes back without answering requests. */
const CRASHED = /runtime crashed unexpectedly/

/** `wrangler dev` with these arguments, as a child that is started again where it no longer answers. */
export class RestartingServer {
  #args: string[]
  #child: ChildProcess
  #held = ''
  #open = false
  #stopping = false
  #restarting = false
  #crashed = Promise.withResolvers<void>()
  #outputs = { stdout: new ServerOutput(), stderr: new ServerOutput() }
  readonly #address = Promise.withResolvers<string>()

  constructor(args: string[]) {
    this.#args = args
    this.#child = this.#spawn()
  }

  /** Scheme, host and port, once the server listens. */
  get address(): Promise<string> {
    return this.#address.promise
  }

  /** Sends a request whose line is not shown. */
  readonly fetch: typeof fetch = (input, init) => {
    const request = new Request(input, init)
    this.#outputs.stdout.hide(`${request.method} ${new URL(request.url).pathname}`)
    return fetch(request)
  }

  /** Drops the output so far. From now on it goes to the terminal, without routine lines. */
  open(): void {
    this.#held = ''
    this.#open = true
  }

  /** Ends the server, and this process with it. A signal may reach the server by itself before `afterMs`. */
  stop(afterMs = 0): void {
    this.#stopping = true
    setTimeout(() => this.#child.kill('SIGTERM'), afterMs)
  }

  /** Stops the server, does something with its data, and starts it again at the same address. */
  async stopFor(work: () => Promise<void>): Promise<void> {
    const origin = await this.address
    this.#args = withPort(this.#args, new URL(origin).port)
    await this.#restart(origin, work)
  }

  /** Asks the server for its health without end, and starts it again after three misses, or one after a crash. */
  async watch(): Promise<never> {
    const origin = await this.address
    // A restart listens where the clients look for it.
    this.#args = withPort(this.#args, new URL(origin).port)
    for (let misses = 0; ;) {
      const crashed = await Promise.race([wait(PROBE_MS, false), this.#crashed.promise.then(() => true)])
      if (crashed) this.#crashed = Promise.withResolvers()
      misses = (await isHealthy(origin)) ? 0 : misses + 1
      if (misses >= (crashed ? 1 : MAX_MISSES) && !this.#stopping) {
        console.error('The server does not respond. Restarting it …')
        if (await this.#restart(origin)) console.error(`The server is running again at ${origin}.`)
        misses = 0
      }
    }
  }

  /** Whether the server responds again. `work`: what is done while it is stopped. */
  async #restart(origin: string, work?: () => Promise<void>): Promise<boolean> {
    this.#restarting = true
    const ended = once(this.#child, 'close')
    this.#child.kill('SIGTERM')
    if (!(await Promise.race([ended, wait(STOP_MS, null)]))) this.#end('The server does not respond and does not stop.')
    await work?.()
    await untilFree(Number(new URL(origin).port))
    // This process was told to end meanwhile. A new server would not get that signal.
    if (this.#stopping) process.exit(0)
    this.#child = this.#spawn()
    this.#restarting = false
    this.#crashed = Promise.withResolvers()
    let crashed = false
    void this.#crashed.promise.then(() => (crashed = true))
    for (let tries = 0; !(await isHealthy(origin)); tries += 1) {
      // The watch sees it too, and starts the server once more.
      if (crashed) return false
      if (tries === START_PROBES) this.#end('The server does not respond after a restart.')
      await wait(1_000)
    }
    return true
  }

  #spawn(): ChildProcess {
    const child = spawnServer(this.#args)
    this.#outputs = { stdout: new ServerOutput(), stderr: new ServerOutput() }
    for (const name of ['stdout', 'stderr'] as const) {
      const stream = child[name]
      if (stream) createInterface({ input: stream }).on('line', (line) => this.#line(name, line))
    }
    // On 'close', because 'exit' may come before the last output.
    child.on('close', (code) => {
      if (this.#restarting) return
      process.stderr.write(this.#held)
      if (this.#stopping) process.exit(code ?? 0)
      if (this.#open) console.error('The server has stopped.')
      process.exit(code || 1)
    })
    return child
  }

  #line(name: 'stdout' | 'stderr', line: string): void {
    if (CRASHED.test(line)) this.#crashed.resolve()
    const shown = this.#outputs[name].shown(line)
    if (this.#open) {
      if (shown !== null) process[name].write(`${shown}\n`)
      return
    }
    this.#held += `${line}\n`
    const found = /Ready on (https?:\/\/\S+)/.exec(line)?.[1]
    if (found !== undefined) this.#address.resolve(found)
  }

  #end(why: string): never {
    console.error(`${why} Stop the remaining processes, then run npm start again.`)
    this.#child.kill('SIGKILL')
    process.exit(1)
  }
}

async function isHealthy(origin: string): Promise<boolean> {
  const signal = AbortSignal.timeout(PROBE_MS)
  const answer = await fetch(new URL('/health', origin), { method: 'HEAD', signal }).catch(() => null)
  return answer?.ok === true
}

/** The arguments with another port. */
export function withPort(args: readonly string[], port: string): string[] {
  const { tokens } = parseArgs({
    args: [...args],
    options: { port: { type: 'string' } },
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const old = tokens.flatMap((token) =>
    token.kind === 'option' && token.name === 'port' ? [token.index, token.inlineValue ? -1 : token.index + 1] : [],
  )
  return [...args.filter((_, index) => !old.includes(index)), '--port', port]
}

/** Waits until nobody listens at a port: a runtime that the server was about to start may outlive it for a moment. */
async function untilFree(port: number): Promise<void> {
  for (let waited = 0; waited < STOP_MS; waited += FREE_MS) {
    const probe = createServer().listen(port, '127.0.0.1')
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    )
    if (isFree) {
      probe.close()
      await once(probe, 'close')
      return
    }
    await wait(FREE_MS)
  }
}
