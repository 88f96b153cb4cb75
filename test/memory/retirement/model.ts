import fc from 'fast-check'

/** What should be there, in the plainest words. */
export interface ModelItem {
  id: string
  text: string
  tags: string[]
  metadata: Record<string, string>
  customId: string | null
  subject: string | null
  status: 'current' | 'retired'
  successor: string | null
  expiresAt: number | null
}

/** Work of the service that runs beside an operation. */
const WORK = ['embed', 'purge', 'expire'] as const
export type Work = (typeof WORK)[number]

export interface StoreOp {
  op: 'store'
  text: string
  tags: string[]
  customId?: string
  ttl?: number
  supersedes: number[]
}

export interface ImportOp {
  op: 'import'
  text: string
  customId: string
  retired: boolean
}

export interface ChangeOp {
  op: 'retire' | 'restore' | 'delete'
  at: number
}

export type Op = { beside: Work[] } & (StoreOp | ImportOp | ChangeOp | { op: 'pass' | 'erase' | 'work' })

const text = fc.constantFrom('red', 'green', 'blue')
const customId = fc.constantFrom('x', 'y')
/** An item by its place in the model. */
const at = fc.nat(6)
const beside = fc.subarray([...WORK])

const store = fc.record(
  {
    op: fc.constant('store' as const),
    text,
    tags: fc.constantFrom<string[]>([], ['a'], ['a', 'b']),
    customId,
    ttl: fc.constantFrom(90, 300),
    supersedes: fc.uniqueArray(at, { maxLength: 2 }),
    beside,
  },
  { requiredKeys: ['op', 'text', 'tags', 'supersedes', 'beside'] },
)
const imports = fc.record({ op: fc.constant('import' as const), text, customId, retired: fc.boolean(), beside })
const changes = fc.record({ op: fc.constantFrom('retire' as const, 'restore' as const, 'delete' as const), at, beside })
const others = fc.record({ op: fc.constantFrom('pass' as const, 'work' as const, 'erase' as const), beside })

export const operations: fc.Arbitrary<Op[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: store },
    { weight: 1, arbitrary: imports },
    { weight: 3, arbitrary: changes },
    { weight: 2, arbitrary: others },
  ),
  { minLength: 4, maxLength: 22 },
)

/** Whom the items of one `custom_id` are about. */
export const ERASED = 'ada'
export const subjectOf = (id: string | undefined): string | null => (id === 'x' ? ERASED : null)
export const metadataOf = (of: string): Record<string, string> => ({ colour: of })

/** The items of a tenant as the contract says that they are. An operation answers `current`, `retired`, `done`, or the code that refuses it. */
export class Model {
  items: ModelItem[] = []

  /** An item that was stored, whose id the service decides. */
  #unnamed: ModelItem | null = null

  find = (id: string): ModelItem | undefined => this.items.find((item) => item.id === id)
  withStatus = (status: ModelItem['status']): ModelItem[] => this.items.filter((item) => item.status === status)

  /** The ids that places mean: of items that are there, and one that never was. */
  idsAt = (places: readonly number[]): string[] => [
    ...new Set(places.map((place) => this.items[place]?.id ?? 'mem_none')),
  ]

  expire(now: number): void {
    this.items = this.items.filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
  }

  erase(): void {
    this.items = this.items.filter(({ subject }) => subject !== ERASED)
  }

  /** The service names the item of the last store, which may have superseded others. */
  name(id: string): void {
    for (const item of this.items) if (item.successor === '') item.successor = id
    if (this.#unnamed) this.#unnamed.id = id
    this.#unnamed = null
  }

  store({ text: content, tags, customId: custom, ttl, supersedes }: StoreOp, now: number): string {
    const found = this.idsAt(supersedes).map(this.find)
    if (found.includes(undefined)) return 'not_found'
    const superseded = found.filter((item) => item !== undefined)
    if (superseded.some(({ status }) => status === 'retired')) return 'conflict'
    const holder = this.items.find((item) => custom !== undefined && item.customId === custom)
    if (holder?.status === 'retired' && holder.text === content) return superseded.length > 0 ? 'conflict' : 'retired'
    if (holder && superseded.includes(holder)) return 'validation_failed'
    const item = holder ?? this.#added(custom)
    Object.assign(item, { text: content, tags, metadata: metadataOf(content), status: 'current', successor: null })
    if (ttl !== undefined) item.expiresAt = now + ttl * 1_000
    for (const one of superseded) Object.assign(one, { status: 'retired', successor: item.id })
    return 'current'
  }

  import({ text: content, customId: custom, retired }: ImportOp, now: number): void {
    const outcome = this.store({ op: 'store', text: content, tags: [], customId: custom, supersedes: [] }, now)
    const item = this.items.find((one) => one.customId === custom)
    if (item && retired && outcome === 'current') item.status = 'retired'
  }

  change({ op, at: place }: ChangeOp): string {
    const item = this.items[place]
    if (!item) return 'not_found'
    if (op === 'delete') this.items = this.items.filter((one) => one !== item)
    else if (item.status !== (op === 'retire' ? 'current' : 'retired')) return 'conflict'
    else Object.assign(item, { status: op === 'retire' ? 'retired' : 'current', successor: null })
    return 'done'
  }

  #added(custom: string | undefined): ModelItem {
    const item: ModelItem = {
      id: '',
      text: '',
      tags: [],
      metadata: {},
      customId: custom ?? null,
      subject: subjectOf(custom),
      status: 'current',
      successor: null,
      expiresAt: null,
    }
    this.items.push(item)
    this.#unnamed = item
    return item
  }
}
