import { measure, type Measured } from '../convert/measure.ts'
import { fieldsOf, metadataOf, textOf } from '../convert/records.ts'
import { openSource, type SourceOptions } from '../convert/source.ts'
import type { ImportLine } from '../convert/line.ts'
import type { Io } from '../io.ts'
import { readJson } from '../read-json.ts'

const FIRST = 10
const MAX_FIRST_LINE = 200

/** The first line of a text that an import would store. */
export interface FirstLine {
  title: string | null
  occurred_at: string | null
  role: string | null
  speaker: string | null
  text: string
}

/** What an import would store. */
export interface DryRun extends Omit<Measured, 'sha256'> {
  /** Messages; each has one line or, if it is long, several. */
  messages: number
  conversations: number
  /** How many messages are of a role, and of a speaker with a name. */
  roles: Record<string, number>
  speakers: Record<string, number>
  /** The earliest and the latest time of what would be stored; null: nothing says when it was. */
  earliest: string | null
  latest: string | null
  /** Of the first conversations, or of the first items that are of none. */
  first: FirstLine[]
}

/** Reads a source as an import does, and asks no service. */
export async function dryRun(io: Io, source: string, options: SourceOptions): Promise<DryRun> {
  const survey = new Survey()
  const { sha256: _, ...measured } = await measure(await openSource(io, source, options, io.now()), (line) =>
    survey.add(line),
  )
  return { ...measured, ...survey.found() }
}

class Survey {
  readonly #roles = new Map<string, number>()
  readonly #speakers = new Map<string, number>()
  readonly #first: FirstLine[] = []
  #messages = 0
  #conversations = 0
  #conversation: string | null = null
  #earliest: string | null = null
  #latest: string | null = null

  add(json: string): void {
    const line = parse(json)
    if (line === null) return
    const { context, occurred_at, created_at } = line
    this.#date(textOf(occurred_at, created_at))
    const turn = fieldsOf(line.turn)
    const conversation = turn ? (textOf(fieldsOf(context)?.['conversation_id']) ?? null) : null
    const begins = turn === null || conversation !== this.#conversation
    if (begins && this.#first.length < FIRST) this.#first.push(firstLineOf(line))
    this.#conversation = conversation
    if (turn === null || turn['part'] !== 0) return
    this.#messages += 1
    if (begins) this.#conversations += 1
    count(this.#roles, textOf(turn['role']))
    count(this.#speakers, textOf(turn['speaker']))
  }

  #date(at: string | undefined): void {
    if (at === undefined) return
    if (this.#earliest === null || at < this.#earliest) this.#earliest = at
    if (this.#latest === null || at > this.#latest) this.#latest = at
  }

  found(): Omit<DryRun, keyof Measured> {
    return {
      messages: this.#messages,
      conversations: this.#conversations,
      roles: Object.fromEntries(this.#roles),
      speakers: Object.fromEntries(this.#speakers),
      earliest: this.#earliest,
      latest: this.#latest,
      first: this.#first,
    }
  }
}

function count(counts: Map<string, number>, name: string | undefined): void {
  if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1)
}

/** A line of JSON lines may say anything: the service looks at it. */
type AnyLine = Partial<Record<keyof ImportLine, unknown>>

/** null: it is no object, which the service will refuse. */
const parse = (json: string): AnyLine | null => fieldsOf(readJson(json))

function firstLineOf({ content, turn, occurred_at, created_at }: AnyLine): FirstLine {
  const { text, metadata } = typeof content === 'string' ? { text: content } : metadataOf(content)
  const [line = ''] = (textOf(text) ?? '').trim().split('\n', 1)
  const { role, speaker } = metadataOf(turn)
  return {
    title: textOf(metadataOf(metadata)['title']) ?? null,
    occurred_at: textOf(occurred_at, created_at) ?? null,
    role: textOf(role) ?? null,
    speaker: textOf(speaker) ?? null,
    text: Array.from(line.slice(0, 2 * MAX_FIRST_LINE))
      .slice(0, MAX_FIRST_LINE)
      .join(''),
  }
}
