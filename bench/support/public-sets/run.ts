import { execFileSync } from 'node:child_process'
import { ROOT } from '../../../tools/wrangler.ts'
import type { Client } from '../quality-client.ts'
import { loadSet, SET_NAMES, type LoadedSet } from './load.ts'
import { linesOf, measureSet } from './measure.ts'
import { firstQuestions, type Granularity } from './set.ts'

/** What the command line says about a public set. */
interface SetOptions {
  set?: string | undefined
  positionals: readonly string[]
  limit?: string | undefined
  granularity: string
}

export interface PublicSet extends LoadedSet {
  options: { set: string; limit: number | null; granularity: Granularity }
}

/** Reads the set that the options name; null without `--set`. */
export function readPublicSet({ set, positionals, limit, granularity }: SetOptions): PublicSet | null {
  if (set === undefined) {
    if (positionals.length > 0) throw new Error('a path needs --set')
    return null
  }
  const name = SET_NAMES.find((each) => each === set)
  if (name === undefined) throw new Error(`--set is one of ${SET_NAMES.join(', ')}, not ${set}`)
  const [path, ...others] = positionals
  if (path === undefined || others.length > 0) throw new Error(`--set ${name} needs one path`)
  if (granularity !== 'turn' && granularity !== 'session') throw new Error('--granularity is turn or session')
  if (limit !== undefined && !/^[1-9]\d*$/.test(limit)) throw new Error('--limit is a number of questions')
  const most = limit === undefined ? null : Number(limit)
  const { chats, sha256 } = loadSet(name, path)
  return {
    chats: most === null ? chats : firstQuestions(chats, most),
    sha256,
    options: { set: name, limit: most, granularity },
  }
}

/** Prints the figures of a set, and as JSON with all that somebody needs who measures them again. */
export async function printPublicSet(
  client: Client,
  { chats, sha256, options }: PublicSet,
  { embedded, embedder }: { embedded: () => Promise<void>; embedder: string },
): Promise<void> {
  const result = await measureSet(client, chats, { granularity: options.granularity, embedded })
  console.log(`\n${options.set}, by ${options.granularity}`)
  for (const line of linesOf(result)) console.log(line)
  console.log(JSON.stringify({ ...options, sha256, commit: commit(), embedder, ...result }))
}

/** The commit of the working tree, with a mark if something in it has changed. */
const commit = (): string =>
  execFileSync('git', ['describe', '--always', '--abbrev=40', '--dirty', '--exclude=*'], {
    cwd: ROOT,
    encoding: 'utf8',
  }).trim()
