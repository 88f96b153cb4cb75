import { grouped } from '../../grouped.ts'
import type { Io } from '../io.ts'
import type { Service } from '../service.ts'
import { isOfLine, patiently } from './patience.ts'
import type { LineError, Question } from './question.ts'

/** Of one batch (contract §6). */
const BATCH = 50
/** More values in a filter cost five permits (contract §6). */
const CUSTOM_IDS = 64
/** Of the context and the custom ids in the address of one call. Servers commonly take addresses of up to 8 KB. */
const MAX_ENCODED = 7_500
const ITEM_ID = /^mem_[0-7][0-9A-HJKMNP-TV-Z]{25}$/

/** The item that an id or a custom id names, or why there is none. */
type Named = { id: string } | { message: string }

export interface Resolved {
  question: Question
  /** Ids of items. */
  ids: ReadonlySet<string>
}

type Calls = Pick<Service, 'call'>

/** Looks up what the lines expect. An item that the caller cannot read, or that is retired, is an error of its line. */
export async function resolveExpected(
  io: Io,
  service: Calls,
  questions: readonly Question[],
): Promise<{ resolved: Resolved[]; errors: LineError[] }> {
  const named = await itemsOf(io, service, questions.flatMap(({ expected }) => expected).filter(isItemId))
  const resolved: Resolved[] = []
  const errors: LineError[] = []
  for (const [, group] of grouped(questions, ({ context }) => JSON.stringify(context))) {
    const customIds = group.flatMap(({ expected }) => expected).filter((id) => !isItemId(id))
    const within = await customIdsOf(io, service, group[0]?.context ?? {}, customIds)
    for (const question of group) {
      const all = question.expected.map((id) => named.get(id) ?? within.get(id.normalize('NFC')) ?? notFound(id))
      const faults = all.flatMap((one) => ('message' in one ? [one.message] : []))
      if (faults.length > 0) errors.push({ from: question.from, message: [...new Set(faults)].join('; ') })
      else resolved.push({ question, ids: new Set(all.flatMap((one) => ('id' in one ? [one.id] : []))) })
    }
  }
  return { resolved, errors }
}

const isItemId = (id: string): boolean => ITEM_ID.test(id)
const notFound = (id: string): Named => ({ message: `expected ${id} is not found, or cannot be read` })

async function itemsOf(io: Io, service: Calls, ids: readonly string[]): Promise<Map<string, Named>> {
  const named = new Map<string, Named>()
  for (const chunk of chunksOf(ids, { most: BATCH })) {
    const operations = chunk.map((id) => ({ op: 'retrieve' as const, id }))
    const { value } = await patiently(io, () =>
      service.call((client, call) => client.memory.batch({ operations }, { ...call, maxRetries: 0 })),
    )
    for (const { index, item, error } of value.results) {
      const id = chunk[index] ?? ''
      if (item) named.set(id, item.retired_at === undefined ? { id } : { message: `expected ${id} is retired` })
      else named.set(id, error?.status === 404 ? notFound(id) : { message: `expected ${id}: ${error?.detail}` })
    }
  }
  return named
}

/** A refusal of the context concerns all lines that have it. */
async function customIdsOf(
  io: Io,
  service: Calls,
  context: Question['context'],
  customIds: readonly string[],
): Promise<Map<string, Named>> {
  const named = new Map<string, Named>()
  const ids = customIds.map((id) => id.normalize('NFC'))
  for (const chunk of chunksOf(ids, { most: CUSTOM_IDS, room: MAX_ENCODED - encodedLength(context) })) {
    try {
      for await (const { id, custom_id } of pagesOf(io, service, context, chunk)) {
        const name = custom_id?.normalize('NFC') ?? ''
        named.set(name, named.has(name) ? { message: `expected ${name} names several items: use an id` } : { id })
      }
    } catch (error) {
      if (!isOfLine(error)) throw error
      for (const id of chunk) named.set(id, { message: `context: ${error.message}` })
    }
  }
  return named
}

async function* pagesOf(io: Io, service: Calls, context: Question['context'], customIds: readonly string[]) {
  const filters = JSON.stringify({ custom_id: { in: customIds } })
  for (let cursor: string | null | undefined; cursor !== null;) {
    const query = { ...context, filters, limit: 100, ...(cursor === undefined ? {} : { cursor }) }
    const { value } = await patiently(io, () =>
      service.call((client, call) => client.memory.list(query, { ...call, maxRetries: 0 })),
    )
    yield* value.data
    cursor = value.next_cursor
  }
}

interface Bounds {
  most: number
  /** Characters of all ids of a chunk, as an address has them. */
  room?: number
}

function* chunksOf(ids: readonly string[], { most, room = Infinity }: Bounds): Generator<string[]> {
  let chunk: string[] = []
  let left = room
  for (const id of new Set(ids)) {
    const length = encodedLength(id)
    if (chunk.length === most || (chunk.length > 0 && length > left)) {
      yield chunk
      chunk = []
      left = room
    }
    chunk.push(id)
    left -= length
  }
  if (chunk.length > 0) yield chunk
}

/** The length of a value and the comma behind it, as JSON in an address. */
const encodedLength = (value: unknown): number =>
  new URLSearchParams({ _: `${JSON.stringify(value)},` }).toString().length - '_='.length
