import {
  BaseStore,
  validateNamespace,
  type GetOperation,
  type Item,
  type ListNamespacesOperation,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchItem,
  type SearchOperation,
} from '@langchain/langgraph-checkpoint'
import type { Recollect } from '../index.ts'
import { requireIds } from '../require-ids.ts'
import { errorOf, problemOf, type RecollectError } from '../errors.ts'
import type { BatchOperation, MemoryItem } from '../types.ts'
import { filtersOf, type Filters } from './filter.ts'
import { holdersOf, nameKey, type ItemName } from './holders.ts'
import { beginningOf, matches, pageOf } from './match.ts'
import { customIdOf, isHashed, namesOf, pathOfName, reachesOf } from './names.ts'
import type { NamespaceName, PathReach } from './naming.ts'
import { FOUND_BY_QUERY, hashField, itemOf, OF_STORE, storeOf } from './stored.ts'

export interface RecollectStoreOptions {
  recollect: Recollect
  /** The project that holds the items; by default the caller's own. */
  projectId?: string
  /** Paths of the fields whose text a search finds, such as `title` and `chapters[*].content`; by default all. */
  fields?: readonly string[]
  /** How a search with a query ranks: by keyword and by meaning, unless it says one of them. */
  mode?: 'hybrid' | 'semantic' | 'keyword'
}

/** Operations of one batch, and results of one search (contract §3). */
const MAX_BATCH = 50
const MAX_RESULTS = 100

/**
 * LangGraph's store, on Recollect. A namespace is its path, escaped and joined by `:`; a key is the `custom_id` of an item.
 * What metadata cannot hold of a value stands in the text of its item. Items of one batch are read before any of it is written, and the last write of a key
 * counts, as in LangGraph's own stores. Items of others stay as they are: a `put` over one is a `ConflictError`.
 */
export class RecollectStore extends BaseStore {
  readonly #options: RecollectStoreOptions
  readonly #recollect: Recollect

  constructor(options: RecollectStoreOptions) {
    super()
    requireIds({ projectId: options.projectId })
    this.#options = options
    this.#recollect = options.recollect
  }

  async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    for (const operation of operations) validate(operation)
    const writes = operations.filter((operation) => 'value' in operation)
    const results = await Promise.all(operations.map((operation) => this.#read(operation)))
    await this.#write(writes)
    return results as OperationResults<Op>
  }

  async #read(operation: Operation): Promise<unknown> {
    if ('namespacePrefix' in operation) return this.#search(operation)
    if ('value' in operation) return undefined
    return 'key' in operation ? this.#get(operation) : this.#listNamespaces(operation)
  }

  async #get({ namespace, key }: GetOperation): Promise<Item | null> {
    const filters = JSON.stringify({ custom_id: await customIdOf(key) })
    for (const { namespace: name } of await namesOf(namespace)) {
      const { data } = await this.#recollect.memory.list({ ...this.#project(), namespace: name, filters })
      const item = data[0] ? itemOf(data[0]) : null
      if (item) return item
    }
    return null
  }

  async #search({ namespacePrefix, query, filter, limit = 10, offset = 0 }: SearchOperation): Promise<SearchItem[]> {
    if (limit === 0) return []
    const conditions = [query ? FOUND_BY_QUERY : OF_STORE, ...filtersOf(filter)]
    const wanted = offset + limit
    const reaches = await reachesOf(namespacePrefix)
    const found = await Promise.all(
      reaches.map(({ prefix, hash }) => {
        const where: Filters[] = [...conditions, ...(hash ? [{ [hashField(hash.labels)]: hash.value }] : [])]
        const place = { ...this.#project(), ...(prefix === null ? { namespace: '*' } : { namespace_prefix: prefix }) }
        return query ? this.#searchFor(query, place, where, wanted) : this.#listIn(place, where, wanted)
      }),
    )
    return merged(found).slice(offset, wanted)
  }

  async #searchFor(query: string, context: object, where: Filters[], wanted: number): Promise<SearchItem[]> {
    const { mode = 'hybrid' } = this.#options
    const limit = Math.min(wanted, MAX_RESULTS)
    const { results } = await this.#recollect.memory.search({ query, mode, limit, context, filters: { AND: where } })
    // Perhaps there are more, and what is cut off in silence is taken for the whole.
    if (wanted > MAX_RESULTS && results.length === MAX_RESULTS)
      throw new RangeError(`In a search with a query, offset and limit together can be at most ${MAX_RESULTS}.`)
    return results.flatMap((result) => itemOf(result, result.score) ?? [])
  }

  async #listIn(context: object, where: Filters[], wanted: number): Promise<SearchItem[]> {
    const found: SearchItem[] = []
    const limit = Math.min(wanted, MAX_RESULTS)
    const items = this.#recollect.memory.list({ ...context, filters: JSON.stringify({ AND: where }), limit })
    for await (const item of items) {
      found.push(...[itemOf(item) ?? []].flat())
      if (found.length >= wanted) break
    }
    return found
  }

  async #listNamespaces(operation: ListNamespacesOperation): Promise<string[][]> {
    const { matchConditions = [] } = operation
    const reaches = await reachesOf(beginningOf(matchConditions))
    const paths = await Promise.all(reaches.map((reach) => this.#pathsIn(reach)))
    return pageOf(
      paths.flat().filter((path) => matches(matchConditions, path)),
      operation,
    )
  }

  async #pathsIn({ prefix }: PathReach): Promise<string[][]> {
    const query = { ...this.#project(), ...(prefix === null ? {} : { prefix }), limit: MAX_RESULTS }
    const paths: string[][] = []
    for await (const { namespace } of this.#recollect.memory.namespaces(query)) {
      const path = isHashed(namespace) ? await this.#pathOfHashed(namespace) : pathOfName(namespace)
      if (path) paths.push(path)
    }
    return paths
  }

  /** The items of a namespace whose name is a hash know its path. */
  async #pathOfHashed(namespace: string): Promise<string[] | null> {
    const filters = JSON.stringify(OF_STORE)
    for await (const item of this.#recollect.memory.list({ ...this.#project(), namespace, filters, limit: 1 }))
      return itemOf(item)?.namespace ?? null
    return null
  }

  async #write(operations: readonly PutOperation[]): Promise<void> {
    const targets = lastOfEachName(await Promise.all(operations.map(targetOf)))
    // Current and older names are read apart, because the service looks ids of one namespace up by an index.
    const reads = [targets.map(({ names }) => names[0]), targets.flatMap(({ names: [, ...older] }) => older)]
    const holders = await Promise.all(reads.map((names) => holdersOf(this.#recollect, this.#project(), names)))
    const due = targets.flatMap((target) => this.#changesOf(target, new Map(holders.flatMap((map) => [...map]))))
    const [only] = due
    // One change has the limit of its own operation.
    if (due.length === 1 && only) return this.#writeOne(only)
    for (let at = 0; at < due.length; at += MAX_BATCH) {
      const { results } = await this.#recollect.memory.batch({ operations: due.slice(at, at + MAX_BATCH) })
      const failed = results.find(({ op, error }) => error && !(op === 'delete' && error.status === 404))?.error
      if (failed) throw errorOf(problemOf(failed.code, failed.detail, failed.status))
    }
  }

  #changesOf({ operation, names }: Target, holders: ReadonlyMap<string, MemoryItem>): BatchOperation[] {
    const held = names.map((name) => ({ name, item: holders.get(nameKey(name)) }))
    const own = held.flatMap(({ name, item }) => (item && itemOf(item) ? [{ name, id: item.id }] : []))
    if (operation.value === null) return own.map(({ id }) => ({ op: 'delete', id }))
    // An item keeps its older name, so that what is written there replaces it.
    const name = own[0]?.name ?? names[0]
    const holder = holders.get(nameKey(name))
    if (holder && !itemOf(holder)) throw taken(operation, holder)
    const { fields, projectId } = this.#options
    return [storeOf(operation, operation.value, { name, fields, projectId })]
  }

  async #writeOne(change: BatchOperation): Promise<void> {
    const { memory } = this.#recollect
    if (change.op === 'delete') await memory.delete(change.id)
    if (change.op !== 'store') return
    const { op: _op, ...item } = change
    await memory.store(item)
  }

  #project(): { project_id?: string } {
    const { projectId } = this.#options
    return projectId === undefined ? {} : { project_id: projectId }
  }
}

function validate(operation: Operation): void {
  if ('namespace' in operation) validateNamespace(operation.namespace, { allowReservedRoot: true })
  if ('namespacePrefix' in operation)
    validateNamespace(operation.namespacePrefix, { allowEmpty: true, allowReservedRoot: true })
}

/** What an operation writes to: the names that its item may have, the current one first. */
interface Target {
  operation: PutOperation
  names: [TargetName, ...TargetName[]]
}

type TargetName = ItemName & NamespaceName

async function targetOf(operation: PutOperation): Promise<Target> {
  const [[current, ...older], customId] = await Promise.all([namesOf(operation.namespace), customIdOf(operation.key)])
  return { operation, names: [{ ...current, customId }, ...older.map((name) => ({ ...name, customId }))] }
}

/** Items of several reads in one order, each once: the best first, or without scores the newest. */
function merged(reads: readonly SearchItem[][]): SearchItem[] {
  const [only] = reads
  if (reads.length === 1 && only) return only
  const items = new Map(reads.flat().map((item) => [JSON.stringify([item.namespace, item.key]), item]))
  return [...items.values()].sort(
    (a, b) => (b.score ?? 0) - (a.score ?? 0) || b.createdAt.getTime() - a.createdAt.getTime(),
  )
}

/** The service would change the item that holds the `custom_id` (contract §3). */
const taken = ({ namespace, key }: PutOperation, { id }: MemoryItem): RecollectError =>
  errorOf(
    problemOf(
      'custom_id_taken',
      `The key "${key}" of ${JSON.stringify(namespace)} is the custom_id of ${id}, an item that does not belong to the store.`,
      409,
    ),
  )

/** Keys that differ in their Unicode form alone have one name. */
const lastOfEachName = (targets: readonly Target[]): Target[] => [
  ...new Map(targets.map((target) => [nameKey(target.names[0]), target])).values(),
]
