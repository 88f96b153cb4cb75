/**
 * `npm run bench:vectors [-- --parts 10000,30000 --questions 100]`
 *
 * Measures the object of a project's vectors in workerd: milliseconds of CPU and not of time, so that other processes do not
 * count. Parts and questions are those of `bench/data/retrieval`; further parts have their sentences in another order.
 * Linux only.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { bundleVectors, startVectors } from './support/vectors-server.ts'
import type { VectorsTask } from './support/vectors-task.ts'

const { values } = parseArgs({
  options: {
    parts: { type: 'string', default: '1000,10000,30000' },
    questions: { type: 'string', default: '100' },
  },
})
const PORTION = 250
const MIB = 1024 * 1024

const read = async <T>(name: string): Promise<T[]> =>
  (await readFile(join(import.meta.dirname, 'data/retrieval', name), 'utf8'))
    .trim()
    .split('\n')
    .map((line): T => JSON.parse(line))
const questions = (await read<{ query: string }>('questions.jsonl'))
  .slice(0, Number(values.questions))
  .map(({ query }) => query)
const words = (await read<{ text: string }>('passages.jsonl')).flatMap(({ text }) => text.split(/\s+/))

/** About 64 pieces. From the second round on the words begin elsewhere. */
const WORDS_OF_A_PART = 45
function part(number: number): string {
  const from = (number * WORDS_OF_A_PART + Math.floor((number * WORDS_OF_A_PART) / words.length) * 17) % words.length
  return words.slice(from, from + WORDS_OF_A_PART).join(' ')
}

const scratch = await mkdtemp(join(tmpdir(), 'recollect-vectors-'))
const start = () => startVectors(join(scratch, 'bundle'), join(scratch, 'state'))
await bundleVectors(join(scratch, 'bundle'))
let server = await start()
const cpuOf = async (task: VectorsTask): Promise<number> => {
  const before = server.cpuMs()
  await server.run(task)
  return server.cpuMs() - before
}
const print = (name: string, parts: number, ms: number, what: string) =>
  console.log(`${name.padEnd(28)} ${String(parts).padStart(7)} ${ms.toFixed(3).padStart(10)} ms of CPU ${what}`)

try {
  for (const parts of values.parts.split(',').map(Number)) {
    const object = `bench-${parts}`
    const ask = async (name: string, more: Partial<VectorsTask> = {}): Promise<void> => {
      const task: VectorsTask = { object, work: 'query', texts: questions, ...more }
      await server.run(task)
      const embedding = await cpuOf({ ...task, work: 'embed' })
      print(name, parts, ((await cpuOf(task)) - embedding) / task.texts.length, 'a question')
    }
    let putting = 0
    let embedding = 0
    for (let first = 0; first < parts; first += PORTION) {
      const texts = Array.from({ length: Math.min(PORTION, parts - first) }, (_, nth) => part(first + nth))
      embedding += await cpuOf({ object, work: 'embed', texts })
      putting += await cpuOf({ object, work: 'put', texts, first })
    }
    print('put', parts, (100 * (putting - embedding)) / parts, 'for 100 parts')
    await server.stop()
    server = await start()
    await server.run({ object: 'another', work: 'query', texts: questions })
    const resident = server.residentBytes()
    print(
      'first query',
      parts,
      await cpuOf({ object, work: 'query', texts: questions.slice(0, 1) }),
      'of an object that wakes',
    )
    await ask('query by cosine', { cosines: true })
    console.log(
      `${'memory'.padEnd(28)} ${String(parts).padStart(7)} ${((server.residentBytes() - resident) / MIB).toFixed(1).padStart(10)} MiB with the object`,
    )
    await ask('query with pieces')
    await ask('query with pieces, 150', { limit: 150 })
    await ask('query by cosine, all', { cosines: true, limit: parts, texts: questions.slice(0, 5) })
    await ask('query with pieces, all', { limit: parts, texts: questions.slice(0, 5) })
    const items = Array.from({ length: 100 }, (_, nth) => `mem_${String((nth * 97) % parts).padStart(26, '0')}`)
    await ask('score of 100', { work: 'score', items })
    print(
      'remove',
      parts,
      await cpuOf({ object, work: 'remove', texts: Array.from({ length: 100 }, () => ''), first: 0 }),
      'for 100 parts',
    )
  }
} finally {
  await server.stop()
  await rm(scratch, { recursive: true, force: true })
}
