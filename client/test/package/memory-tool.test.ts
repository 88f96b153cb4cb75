import { mkdtemp, readdir, rm, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { betaMemoryTool, type MemoryToolHandlers } from '@anthropic-ai/sdk/helpers/beta/memory'
import { BetaLocalFilesystemMemoryTool } from '@anthropic-ai/sdk/tools/memory/node'
import type { BetaMemoryTool20250818Command as Command } from '@anthropic-ai/sdk/resources/beta'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Agent } from '../../../test/e2e/support/agent.ts'
import { startServer, type Server } from '../../../test/e2e/support/server.ts'
import { memoryHandlers } from '../../src/anthropic/index.ts'
import { Recollect } from '../../src/index.ts'

const RUNS = 10
const COMMANDS_PER_RUN = 30

let server: Server
let recollect: Recollect
beforeAll(async () => {
  server = await startServer({ staticAssets: false, vars: { LIMITS_FACTOR: '1000' } })
  const { session } = await Agent.signUp(server.url)
  recollect = new Recollect({ baseUrl: server.url, credential: { sessionToken: session } })
})
afterAll(() => server.stop())

/** Few, so that commands meet: files, folders, a file in place of a folder, hidden names. */
const path = fc.constantFrom(
  '/memories',
  '/memories/',
  '/memories/a',
  '/memories/a/',
  '/memories/b.txt',
  '/memories/a/b',
  '/memories//a/./b',
  '/memories/a/c.md',
  '/memories/a/b/d',
  '/memories/a/b/d/e.txt',
  '/memories/A',
  '/memories/.hidden',
  '/memories/node_modules/x',
  '/memories/a/ä 1.txt',
  '/memory',
)
/** One word a line. No word is part of another, because the SDK counts lines and the service counts places. */
const word = fc.constantFrom('tea', 'kettle', 'blue', 'Ada', '$&', 'größer', '\r')
const text = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join('\n'))
const longText = fc.integer({ min: 1, max: 300 }).map((lines) => 'a line of text\n'.repeat(lines))

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      command: fc.constant('create' as const),
      path,
      file_text: fc.oneof({ weight: 5, arbitrary: text }, { weight: 1, arbitrary: longText }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc
      .record({
        path,
        view_range: fc.option(fc.tuple(fc.integer({ min: -2, max: 6 }), fc.integer({ min: -2, max: 8 }))),
      })
      .map(({ path, view_range }) => ({ command: 'view' as const, path, ...(view_range ? { view_range } : {}) })),
  },
  {
    weight: 2,
    arbitrary: fc.record({ command: fc.constant('str_replace' as const), path, old_str: word, new_str: text }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      command: fc.constant('insert' as const),
      path,
      insert_line: fc.integer({ min: -1, max: 8 }),
      insert_text: fc.oneof(
        text,
        text.map((lines) => `${lines}\n`),
        fc.constant(''),
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ command: fc.constant('delete' as const), path }) },
  { weight: 2, arbitrary: fc.record({ command: fc.constant('rename' as const), old_path: path, new_path: path }) },
)

interface Outcome {
  answer?: unknown
  error?: string
}

const outcomeOf = async (handlers: MemoryToolHandlers, input: Command): Promise<Outcome> => {
  try {
    return { answer: await betaMemoryTool(handlers).run(input) }
  } catch (error) {
    return { error: (error as Error).message }
  }
}

/** A disk says how large its own entry of a folder is, and Recollect how large the files in it are. */
const withoutFolderSizes = ({ answer, error }: Outcome): Outcome =>
  typeof answer === 'string' && answer.startsWith("Here're")
    ? { answer: answer.replace(/^[\d.]+[BKMG](?=\t.*\/$)/gm, '?').replace(/\n[\d.]+[BKMG](?=\t)/, '\n?') }
    : { ...(answer === undefined ? {} : { answer }), ...(error === undefined ? {} : { error }) }

/** What the SDK lets through of the file system, with the path on its disk, such as where a file is a folder of the path. */
const isOfDisk = ({ error = '' }: Outcome): boolean => /^E[A-Z]+: /.test(error)

/** What the disk refuses in its own words, Recollect refuses in others. */
const comparable = (outcome: Outcome, expected: Outcome): Outcome =>
  isOfDisk(expected) && outcome.error !== undefined ? { error: 'refused' } : withoutFolderSizes(outcome)

/** In Recollect a folder is there while a file is in it. */
async function pruneEmpty(folder: string): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true })
  const kept = await Promise.all(
    entries.map(async (entry) => {
      if (!entry.isDirectory()) return true
      const below = join(folder, entry.name)
      if (await pruneEmpty(below)) return true
      await rmdir(below)
      return false
    }),
  )
  return kept.includes(true)
}

test(`${RUNS * COMMANDS_PER_RUN} random commands have the results of the SDK's tool for a local disk`, async () => {
  let runs = 0
  const commands = fc.array(command, { minLength: COMMANDS_PER_RUN, maxLength: COMMANDS_PER_RUN })
  await fc.assert(
    fc.asyncProperty(commands, async (inputs) => {
      const base = await mkdtemp(join(tmpdir(), 'memory-tool-'))
      try {
        const disk = await BetaLocalFilesystemMemoryTool.init(base)
        const ours = memoryHandlers({ recollect, context: { namespace: `run:${(runs += 1)}` } })
        for (const input of inputs) {
          const [expected, actual] = [await outcomeOf(disk, input), await outcomeOf(ours, input)]
          await pruneEmpty(join(base, 'memories'))
          const both = [actual, expected].map((outcome) => comparable(outcome, expected))
          expect({ input, ...both[0] }).toEqual({ input, ...both[1] })
        }
      } finally {
        await rm(base, { recursive: true, force: true })
      }
    }),
    { numRuns: RUNS },
  )
})
