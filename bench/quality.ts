/**
 * `npm run bench:quality [-- --recall] [--data <directory>] [--embeddings-url <url> --dimension <n> --model <name>]`
 *
 * Measures the quality of search on passages and questions: those of `bench/data` or of a directory. It starts a Worker,
 * stores and asks through its public API, and prints recall and MRR@20 of the three modes, never a verdict. A question
 * without a right answer counts by whether nothing is found. Turns of
 * conversations are also stored without their `conversation_id`, so without neighbours, and without `occurred_at`.
 * The figures are tie-aware (McSherry and Najork 2008): the expectation over all orders of results with equal scores,
 * computed exactly. Otherwise the order of the import would decide, because equal texts have equal scores. Where a text
 * stands twice, two more groups of lines follow: "as ordered" takes the order of the service, the newest of equal results
 * first, and "twins as one" that order with equal texts as one.
 * The last column is the MRR@20 of the questions that share no word with what answers them. Made-up queries are asked of
 * texts of 2,000 characters, which are passages of `bench/data/retrieval` that follow one another.
 * It also tells facts and asks for them with recall (`bench/support/recall.ts`); with `--recall` it does this alone.
 * Before that it prints how well the guard tells secrets from look-alikes, both made from a seed, and what it costs.
 * `--set longmemeval|locomo|realtalk|beam PATH [--limit N] [--granularity turn|session]` measures a public set alone, read as
 * it is published (`bench/support/public-sets`), and ends with a line of JSON.
 * With a URL the model at it embeds, as `EMBEDDINGS_URL` says it in docs/embeddings.md; otherwise the embedded one.
 */
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { startServer } from '../test/e2e/support/server.ts'
import { ROOT } from '../tools/wrangler.ts'
import { each, startClient, type Client, type Text } from './support/quality-client.ts'
import {
  asOrdered,
  expected,
  line,
  twins,
  type Answer,
  type Quality,
  type Question,
} from './support/quality-measures.ts'
import { printGuard } from './support/guard.ts'
import { longTexts } from './support/long-texts.ts'
import { printPublicSet, readPublicSet } from './support/public-sets/run.ts'
import { printEvidence, printRecall } from './support/recall.ts'
import { sharesNoWord } from './support/shared-words.ts'
import { waitUntilEmbedded } from './support/seed.ts'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    set: { type: 'string' },
    limit: { type: 'string' },
    granularity: { type: 'string', default: 'turn' },
    data: { type: 'string' },
    'embeddings-url': { type: 'string' },
    dimension: { type: 'string' },
    model: { type: 'string' },
    recall: { type: 'boolean', default: false },
  },
})
// A public set is read before the service starts: a wrong path fails at once.
const publicSet = readPublicSet({ ...options, positionals })
const SETS = options.data
  ? [options.data]
  : ['retrieval', 'no-shared-word', 'languages', 'inflected', 'conversations'].map((name) =>
      join(ROOT, 'bench/data', name),
    )
/** The sets of `--recall`: turns of conversations. */
const RECALLED_SETS = SETS.filter((folder) => basename(folder) === 'conversations')
const MODES = ['keyword', 'semantic', 'hybrid']
/** Results asked for: more than `DEPTH`, so that no group of equal scores that begins there is cut. */
const ASKED = 100
/** Characters of the texts that made-up queries are asked of. */
const MADE_UP_CHARACTERS = 2_000

interface Passage extends Text {
  corpus: string
}
/** A way to store a set: the suffix of its name, and the change to each passage. */
type Storing = [suffix: string, change: (passage: Passage) => Passage]
const AS_IT_IS: Storing[] = [['', (passage) => passage]]
const TURNS: Storing[] = [
  [', neighbours, dates', (turn) => turn],
  [', neighbours', (turn) => ({ ...turn, occurred_at: undefined })],
  [', dates', (turn) => ({ ...turn, conversation_id: undefined })],
  [', neither', (turn) => ({ ...turn, conversation_id: undefined, occurred_at: undefined })],
]

const read = <T>(folder: string, file: string): T[] =>
  readFileSync(join(folder, file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T)

/** The results of each question. */
async function ask(client: Client, project: string, questions: readonly Question[], mode: string): Promise<Answer[]> {
  const answers: Answer[] = []
  await each(questions, async (question) => {
    const { query, relevant } = question
    answers.push({ question, relevant, found: await client.search(project, { query, mode, limit: ASKED }) })
  })
  return answers
}

/** Stores the passages, a project for each corpus, asks the questions in each mode and prints recall and MRR. */
async function measure(
  client: Client,
  title: string,
  passages: readonly Passage[],
  questions: readonly Question[],
): Promise<void> {
  const projects = new Map<string, string>()
  for (const [corpus, own] of Map.groupBy(passages, (passage) => passage.corpus))
    projects.set(corpus, await client.store(corpus, own))
  await waitUntilEmbedded(server, 600)

  console.log(`\n${title}: ${passages.length} passages, ${questions.length} questions`)
  const ofAll = new Map<string, Answer[]>(MODES.map((mode) => [mode, []]))
  const answerable = questions.filter(({ relevant }) => relevant.length > 0)
  const textOf = new Map(passages.map(({ id, text }) => [id, text]))
  const unworded = new Set(
    answerable.filter(({ query, relevant }) =>
      sharesNoWord(
        query,
        relevant.map((id) => textOf.get(id) ?? ''),
      ),
    ),
  )
  const summed = (answers: readonly Answer[]): [all: Quality, unworded: Quality] => [
    expected(answers),
    expected(answers.filter(({ question }) => unworded.has(question))),
  ]
  if (answerable.length > 0)
    console.log(
      `${'corpus'.padEnd(20)} ${'mode'.padEnd(9)} recall@1 recall@3  recall@5 recall@10    MRR@20 of the ${unworded.size} without a shared word`,
    )
  for (const [corpus, own] of Map.groupBy(answerable, (question) => question.corpus)) {
    for (const [mode, all] of ofAll) {
      const answers = await ask(client, projects.get(corpus) ?? '', own, mode)
      if (projects.size > 1) console.log(line(corpus, mode, ...summed(answers)))
      all.push(...answers)
    }
  }
  for (const [mode, all] of ofAll) if (all.length > 0) console.log(line('all', mode, ...summed(all)))
  await printEmpty(client, projects, questions)
  if (passages.some((passage) => passage.conversation_id)) {
    const asked = answerable.map(({ query, relevant }) => ({
      query,
      relevant: relevant.map((id) => textOf.get(id) ?? ''),
    }))
    for (const project of projects.values()) await printEvidence(client, project, asked)
  }
  const twinOf = answerable.length > 0 && twins(passages)
  if (!twinOf) return
  for (const [mode, all] of ofAll) console.log(line('all, as ordered', mode, asOrdered(all)))
  for (const [mode, all] of ofAll) console.log(line('all, twins as one', mode, asOrdered(all, twinOf)))
}

/** Prints for how many of the questions without an answer each mode finds nothing. */
async function printEmpty(
  client: Client,
  projects: ReadonlyMap<string, string>,
  questions: readonly Question[],
): Promise<void> {
  const unanswerable = questions.filter(({ relevant }) => relevant.length === 0)
  if (unanswerable.length === 0) return
  for (const mode of MODES) {
    let empty = 0
    for (const [corpus, own] of Map.groupBy(unanswerable, (question) => question.corpus)) {
      const answers = await ask(client, projects.get(corpus) ?? '', own, mode)
      empty += answers.filter(({ found }) => found.length === 0).length
    }
    console.log(
      `${'without an answer'.padEnd(20)} ${mode.padEnd(9)} nothing found for ${empty} of ${unanswerable.length}`,
    )
  }
}

/** Prints for how many of the made-up queries each mode finds nothing in long texts. */
async function measureMadeUp(client: Client): Promise<void> {
  const passages = read<Passage>(join(ROOT, 'bench/data/retrieval'), 'passages.jsonl')
  const texts = longTexts(passages, MADE_UP_CHARACTERS).map((text) => ({ ...text, corpus: 'made-up' }))
  await measure(client, 'made-up', texts, read<Question>(join(ROOT, 'bench/data/made-up'), 'questions.jsonl'))
}

if (!options.recall && !publicSet) printGuard()
const url = options['embeddings-url']
const server = await startServer({
  vars: {
    LIMITS_FACTOR: '1000',
    ...(url ? { EMBEDDER: 'url', EMBEDDINGS_URL: url, EMBEDDINGS_MODEL: options.model ?? 'model' } : {}),
    ...(url && options.dimension ? { EMBEDDINGS_DIMENSION: options.dimension } : {}),
  },
})
try {
  const client = await startClient(server.url)
  const embedded = async (): Promise<void> => void (await waitUntilEmbedded(server, 600))
  if (publicSet)
    await printPublicSet(client, publicSet, {
      embedded,
      embedder: url ? `${options.model ?? 'model'}, ${options.dimension ?? 'its own'} dimensions` : 'embedded',
    })
  else if (!options.data) await printRecall(client, embedded)
  for (const folder of publicSet ? [] : options.recall ? RECALLED_SETS : SETS) {
    const passages = read<Passage>(folder, 'passages.jsonl')
    const questions = read<Question>(folder, 'questions.jsonl')
    for (const [suffix, change] of passages.some((passage) => passage.conversation_id) ? TURNS : AS_IT_IS)
      await measure(client, basename(folder) + suffix, passages.map(change), questions)
  }
  if (!publicSet && !options.data && !options.recall) await measureMadeUp(client)
} finally {
  await server.stop()
}
