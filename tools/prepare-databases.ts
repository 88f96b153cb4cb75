import { stripVTControlCharacters } from 'node:util'
import { runWrangler, wrangler, type Wrangler } from './wrangler.ts'

/**
 * Applies the migrations to each database. Returns a line about each one that fails: its shard answers 503 while the others
 * run. Throws where all of them fail, which no single file explains.
 */
export async function prepareDatabases(
  bindings: readonly string[],
  where: readonly string[],
  by: Wrangler = wrangler,
): Promise<string[]> {
  const failures: { binding: string; error: Error }[] = []
  for (const binding of bindings) {
    try {
      await runWrangler(['d1', 'migrations', 'apply', binding, '--local', ...where], by)
    } catch (error) {
      if (!(error instanceof Error)) throw error
      failures.push({ binding, error })
    }
  }
  const [first] = failures
  if (first && failures.length === bindings.length) throw first.error
  return failures.map(
    ({ binding, error }) =>
      `${binding} cannot be prepared, so its shard is down: ${causeOf(error)}. If its file is damaged, restore it from a backup.`,
  )
}

/** The line of wrangler's output that says what is wrong. */
const causeOf = ({ message }: Error): string => {
  const lines = stripVTControlCharacters(message).split('\n')
  return (lines.find((line) => line.includes('ERROR')) ?? lines[0] ?? '').replace(/^.*\[ERROR\] */, '').trim()
}
