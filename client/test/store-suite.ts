import type { BaseStore, Item, Operation, SearchItem } from '@langchain/langgraph-checkpoint'
import { expect, test } from 'vitest'
import cases from './store-cases.json'

type Value = Record<string, unknown>
type Path = string[]

interface Name {
  namespace: Path
  key: string
}

interface Put extends Name {
  value: Value
}

interface Search {
  prefix: Path
  query?: string
  filter?: Value
  limit?: number
  offset?: number
}

/** What is done, and what it must result in. `differs` says why a store results in something else. */
export interface Step {
  put?: Put
  get?: Name
  value?: Value | null
  delete?: Name
  /** A second put, which keeps the time of the first. */
  replace?: Put
  search?: Search
  found?: [Path, string][]
  first?: [Path, string]
  count?: number
  namespaces?: { prefix?: Path; suffix?: Path; max_depth?: number; limit?: number; offset?: number }
  listed?: Path[]
  in_any_order?: boolean
  batch?: Step[]
  /** Items `k0`, `k1`… with their number as value, which take turns in the namespaces. */
  fill?: { namespaces: Path[]; count: number }
  pages?: { prefix: Path; limit: number; offsets: number[] }
  counts?: number[]
  refused?: Put
  large?: { text: string; times: number }
  differs?: Partial<Record<StoreName, string>>
}

/** The stores that run the table: this adapter, the one in Python, and those in memory of both LangGraphs. */
export type StoreName = 'typescript' | 'memory' | 'python' | 'python-memory'

export const STORE_CASES = cases as { name: string; steps: Step[] }[]

/** What every store of LangGraph does: each case has a store of its own, whose searches look into all fields. */
export function describeStore(name: StoreName, newStore: () => Promise<BaseStore>): void {
  test.each(STORE_CASES)('$name', async ({ steps }) => {
    const store = await newStore()
    for (const step of steps) {
      const results = await resultsOf(store, step).catch(({ message }: Error) => ({ error: message }))
      expect({ step, results }).toEqual(expectedOf(step, name))
    }
  })
}

/** A difference that is no more must be removed from the table. */
function expectedOf(step: Step, name: StoreName): unknown {
  const wanted = { step, results: wantedOf(step) }
  const different: unknown = expect.not.objectContaining(wanted)
  return step.differs?.[name] === undefined ? wanted : different
}

const wantedOf = (step: Step): unknown => {
  if (step.refused) return { error: expect.stringMatching(/namespace/i) }
  if (step.batch) return step.batch.map(wantedOf)
  if (step.get) return step.value === null ? null : { ...step.get, value: step.value }
  if (step.replace) return 'kept'
  if (step.first) return [step.first, 'number']
  if (step.pages) return { counts: step.counts, different: step.counts?.reduce((sum, count) => sum + count, 0) }
  if (step.large) return [largeOf(step.large), largeOf(step.large)]
  return step.found?.toSorted(byText) ?? step.count ?? inOrder(step, step.listed) ?? null
}

async function resultsOf(store: BaseStore, step: Step): Promise<unknown> {
  if (step.batch) {
    const results = await store.batch(step.batch.map(operationOf))
    return step.batch.map((each, at) => toldOf(each, results[at]))
  }
  if (step.put ?? step.refused) {
    const { namespace, key, value } = step.put ?? step.refused ?? NOTHING
    return (await store.put(namespace, key, value)) ?? null
  }
  if (step.delete) return (await store.delete(step.delete.namespace, step.delete.key)) ?? null
  if (step.get) return toldOf(step, await store.get(step.get.namespace, step.get.key))
  if (step.search) {
    const { prefix, ...options } = step.search
    return toldOf(step, await store.search(prefix, options))
  }
  if (step.namespaces) {
    const { max_depth: maxDepth, ...options } = step.namespaces
    return inOrder(step, await store.listNamespaces({ ...options, ...(maxDepth === undefined ? {} : { maxDepth }) }))
  }
  return resultsOfMany(store, step)
}

async function resultsOfMany(store: BaseStore, { replace, fill, pages, large }: Step): Promise<unknown> {
  if (replace) {
    const before = await store.get(replace.namespace, replace.key)
    await store.put(replace.namespace, replace.key, replace.value)
    const after = await store.get(replace.namespace, replace.key)
    return after?.createdAt.getTime() === before?.createdAt.getTime() ? 'kept' : 'renewed'
  }
  if (fill) {
    const { namespaces, count } = fill
    const puts = Array.from({ length: count }, (_, at) => ({
      namespace: namespaces[at % namespaces.length] ?? [],
      key: `k${at}`,
      value: { at },
    }))
    await store.batch(puts)
  }
  if (pages) {
    const { prefix, limit, offsets } = pages
    const found = await Promise.all(offsets.map((offset) => store.search(prefix, { limit, offset })))
    const different = new Set(found.flat().map(({ key }) => key)).size
    return { counts: found.map((page) => page.length), different }
  }
  if (large) {
    const value = largeOf(large)
    await store.put(['large'], 'k', value)
    const [found] = await store.search(['large'])
    return [(await store.get(['large'], 'k'))?.value, found?.value]
  }
  return null
}

const NOTHING: Put = { namespace: [], key: '', value: {} }

const largeOf = ({ text, times }: { text: string; times: number }): Value => ({ text: text.repeat(times), times })

function operationOf({ put, get, delete: deleted, search, namespaces }: Step): Operation {
  if (put) return put
  if (deleted) return { ...deleted, value: null }
  if (search) {
    const { prefix, ...options } = search
    return { namespacePrefix: prefix, ...options }
  }
  const { prefix = [], limit = 10, offset = 0 } = namespaces ?? {}
  return get ?? { matchConditions: [{ matchType: 'prefix', path: prefix }], limit, offset }
}

type Result = Item | SearchItem[] | Path[] | null | undefined | void

/** A result as the table has it. */
function toldOf(step: Step, result: Result): unknown {
  if (!Array.isArray(result))
    return result ? { namespace: result.namespace, key: result.key, value: result.value } : null
  const items = result.flatMap((each) => (Array.isArray(each) ? [] : [each]))
  if (step.count !== undefined) return items.length
  if (step.first) return items.slice(0, 1).flatMap(({ namespace, key, score }) => [[namespace, key], typeof score])
  if (!step.search) return result
  return items.map(({ namespace, key }): [Path, string] => [namespace, key]).sort(byText)
}

/** Languages sort letters with accents in different ways. */
const inOrder = (step: Step, paths: Path[] | undefined): Path[] | undefined =>
  step.in_any_order ? paths?.toSorted(byText) : paths

const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)
