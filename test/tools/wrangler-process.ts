import { readFileSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import type { Ran } from '../../tools/wrangler.ts'

/** What `one-wrangler.ts` writes on each line of the standard input. The answers are lines too. */
export interface Command {
  args: string[]
  stdin?: string | undefined
}

const require = createRequire(import.meta.url)
const file = require.resolve('wrangler')
const exported = {
  format: 'commonjs',
  source: `${readFileSync(file, 'utf8')}\nexports.main = main`,
  shortCircuit: true,
}
// wrangler's own file calls `main` and does not export it.
registerHooks({
  load: (url, context, next) => (url === String(pathToFileURL(file)) ? exported : next(url, context)),
})
const { main } = require('wrangler') as { main: (args: string[]) => Promise<void> }

/** Writes a whole answer, however long it is: wrangler's own output goes elsewhere. */
const answerTo: (text: string, done: (error?: unknown) => void) => boolean = process.stdout.write.bind(process.stdout)

async function run({ args, stdin }: Command): Promise<Ran> {
  const ran: Ran = { code: 0, stdout: '', stderr: '' }
  Object.defineProperty(process, 'stdin', { value: Readable.from(stdin ?? []), configurable: true })
  for (const stream of ['stdout', 'stderr'] as const)
    process[stream].write = (chunk: string | Uint8Array) => {
      ran[stream] += Buffer.from(chunk as string).toString()
      return true
    }
  process.exitCode = 0
  await main(args).catch(() => (process.exitCode ||= 1))
  return { ...ran, code: process.exitCode }
}

for await (const line of createInterface(process.stdin)) {
  const answer = `${JSON.stringify(await run(JSON.parse(line) as Command))}\n`
  await new Promise((resolve) => answerTo(answer, resolve))
}
process.exit()
