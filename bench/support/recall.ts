import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../tools/wrangler.ts'
import type { Client, Recalled, Said } from './quality-client.ts'

const LANGUAGES = ['en', 'de', 'ja']
/** Tokens of a recall in the loop, and of one for a prompt. */
const LOOP_TOKENS = 150
const PROMPT_TOKENS = 1_000
const EVIDENCE_TOKENS = [1_000, 2_000]
const UNKNOWING: Record<string, string> = { en: 'I do not know.', de: 'Das weiß ich nicht.', ja: 'わかりません。' }

interface Fact {
  id: string
  language: string
  told: string
  reply: string
  rephrasings: string[]
}
interface Exchange {
  id: string
  language: string
  user: string
  assistant: string
}
interface Prompt {
  language: string
  text: string
  evidence: string[]
}
export interface Evidence {
  query: string
  /** Texts of the turns that answer it. */
  relevant: string[]
}

/** Resolves when all that was stored is embedded. */
type Embedded = () => Promise<void>

const read = <T>(file: string): T[] =>
  readFileSync(join(ROOT, 'bench/data/recall', file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T)

const said = (conversation_id: string, user: string, assistant: string): Said[] => [
  { conversation_id, role: 'user', text: user },
  { conversation_id, role: 'assistant', text: assistant },
]
const ofFact = ({ id, told, reply }: Fact): Said[] => said(id, told, reply)
const ofExchange = ({ id, user, assistant }: Exchange): Said[] => said(id, user, assistant)

/** Prints how well recall brings back what was told, and that it brings nothing where nothing is needed. */
export async function printRecall(client: Client, embedded: Embedded): Promise<void> {
  const facts = read<Fact>('facts.jsonl')
  const exchanges = read<Exchange>('exchanges.jsonl')
  console.log('\nrecall: a fact is told, then asked for again and again, and each question is answered "I do not know"')
  for (const language of LANGUAGES) {
    const own = facts.filter((fact) => fact.language === language)
    for (const between of [[], exchanges]) {
      const { found, asking, of } = await loop(client, embedded, own, between)
      console.log(
        `${language}, ${between.length} exchanges between`.padEnd(30),
        `the fact in ${found} of ${of} recalls of ${LOOP_TOKENS} tokens, ${asking} items are a question`,
      )
    }
  }
  await printPrompts(client, embedded, [...facts.flatMap(ofFact), ...exchanges.flatMap(ofExchange)])
}

async function loop(client: Client, embedded: Embedded, facts: readonly Fact[], between: readonly Exchange[]) {
  const project = await client.tell('loop', [...facts.flatMap(ofFact), ...between.flatMap(ofExchange)])
  const questions = new Set(facts.flatMap(({ rephrasings }) => rephrasings))
  let [found, asking, of] = [0, 0, 0]
  for (let round = 0; facts.some(({ rephrasings }) => round < rephrasings.length); round += 1) {
    await embedded()
    const asked: Said[] = []
    for (const { told, language, rephrasings } of facts) {
      const query = rephrasings[round] ?? ''
      const items = await client.recall(project, { query, max_tokens: LOOP_TOKENS })
      found += Number(items.some(({ text }) => text === told))
      asking += items.filter(({ text }) => questions.has(text)).length
      of += 1
      asked.push(...said(`round-${round}`, query, UNKNOWING[language] ?? ''))
    }
    await client.tellMore(project, asked)
  }
  return { found, asking, of }
}

async function printPrompts(client: Client, embedded: Embedded, turns: readonly Said[]): Promise<void> {
  const project = await client.tell('prompts', turns)
  await embedded()
  const textsOf = new Map(
    [...Map.groupBy(turns, (turn) => turn.conversation_id)].map(([id, own]) => [id, own.map(textOf)]),
  )
  const counts = { none: 0, ofNone: 0, some: 0, ofSome: 0 }
  for (const { text: query, evidence } of read<Prompt>('prompts.jsonl')) {
    const items = await client.recall(project, { query, max_tokens: PROMPT_TOKENS })
    if (evidence.length === 0) {
      counts.ofNone += 1
      counts.none += Number(items.length > 0)
    } else {
      const wanted = evidence.flatMap((id) => textsOf.get(id) ?? [])
      counts.ofSome += 1
      counts.some += Number(items.some(({ text }) => wanted.includes(text)))
    }
  }
  console.log(`prompts that need no memory    ${counts.none} of ${counts.ofNone} recall anything`)
  console.log(`prompts that need one          ${counts.some} of ${counts.ofSome} recall their evidence`)
}

/** Prints the share of the turns that answer questions which recalls of some sizes show. */
export async function printEvidence(client: Client, project: string, questions: readonly Evidence[]): Promise<void> {
  for (const max_tokens of EVIDENCE_TOKENS) {
    let sum = 0
    for (const { query, relevant } of questions) {
      const shown = (await client.recall(project, { query, max_tokens })).map(textOf)
      sum += relevant.filter((text) => shown.includes(text)).length / relevant.length
    }
    console.log(`recall within ${max_tokens} tokens: evidence ${(sum / questions.length).toFixed(4)}`)
  }
}

const textOf = ({ text }: Recalled): string => text
