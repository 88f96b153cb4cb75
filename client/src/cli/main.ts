import { setTimeout as sleep } from 'node:timers/promises'
import { EXIT } from './exit-codes.ts'
import { reportBrokenOutput } from './output/write-out.ts'
import { run } from './run.ts'

/** Set by the bundler (client/build.ts). */
declare const RECOLLECT_VERSION: string

const interrupt = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // The first signal lets a command finish cleanly. The second one ends it at once.
    if (interrupt.signal.aborted) process.exit(EXIT.interrupted)
    interrupt.abort()
  })
}
// There is nothing left to do.
process.stdout.on('error', (error) => process.exit(reportBrokenOutput(process.stderr, error)))

const { env, stdin, stdout, stderr } = process
process.exitCode = await run(
  {
    env,
    stdin,
    stdout,
    stderr,
    interrupted: interrupt.signal,
    // oxlint-disable-next-line no-restricted-properties -- the clock of the process enters here
    now: () => Date.now(),
    sleep: (ms) => sleep(ms, undefined, { signal: interrupt.signal }).catch(() => {}),
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
  },
  process.argv.slice(2),
  RECOLLECT_VERSION,
)
