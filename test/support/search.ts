import {
  authContext,
  newTrail,
  SCOPES,
  type AuthContext,
  type KeyPermission,
  type Principal,
  type RequestContext,
} from '../../src/core/context.ts'
import type { EmbeddingModel, RerankingModel } from '../../src/core/models.ts'
import type { Queues } from '../../src/core/ports.ts'
import { MAX_BATCH_OPERATIONS } from '../../src/core/limits.ts'
import { tieredVectors } from '../../src/backends/vectors.tiers.ts'
import { batch } from '../../src/memory/operations/batch.ts'
import { embedItems } from '../../src/memory/embedding/embed.ts'
import { embedSweep } from '../../src/memory/embedding/sweep.ts'
import { StoreInput, type MemoryItem } from '../../src/memory/item.ts'
import { search } from '../../src/memory/operations/search.ts'
import { SearchInput, type SearchReply } from '../../src/memory/search/search-schema.ts'
import { store } from '../../src/memory/operations/store.ts'
import { travel } from './clock.ts'
import { sharedOf, sharedReranker } from './models.ts'
import { until } from './until.ts'
import { db, system, type Tenant } from './world.ts'

/**
 * Queues that lose every message, so that nothing is embedded but by the test itself; not those of the audit, which carry
 * rows of other requests too.
 */
export const losingQueues: Queues = {
  send: async (queue, ...message) => {
    if (queue === 'audit') await system.queues.send(queue, ...message)
  },
}

interface Changes extends Partial<Omit<AuthContext, 'embedder' | 'reranker'>> {
  permissions?: KeyPermission[]
  embeddingModel?: EmbeddingModel
  rerankingModel?: RerankingModel
}

/** A request of a user to a verb, with any part of the system replaced. */
export function ctxOf(
  user: Pick<Tenant, 'userId' | 'tenantId' | 'routingId' | 'projectId'>,
  { permissions, embeddingModel, rerankingModel, ...changes }: Changes = {},
): AuthContext {
  const principal: Principal = {
    userId: user.userId,
    tenantId: user.tenantId,
    routingId: user.routingId,
    kind: 'person',
    credential: { kind: 'session', id: 'ses_test', environment: null, appId: null, grantId: null },
    scopes: SCOPES,
    permissions: permissions ?? null,
    defaultProjectId: user.projectId,
  }
  const request: RequestContext = {
    ...system,
    requestId: system.newId('req'),
    client: { ip: '192.0.2.1', userAgent: 'test', origin: 'http://recollect.test' },
    queues: losingQueues,
    ...changes,
    embedder: embeddingModel ? sharedOf(embeddingModel).for(() => request) : system.embedder,
    reranker: rerankingModel ? sharedReranker(rerankingModel) : system.reranker,
  }
  const vectors = changes.vectors ?? tieredVectors(request)
  const { trail = newTrail(), idempotency = null } = changes
  const ctx = authContext(request, changes.principal ?? principal, { trail, idempotency })
  return { ...ctx, vectors, db: changes.db ?? db.inTurnOf(user.routingId, request) }
}

/** The same request with other tiers of vectors, or another clock for them. */
export function withTiers(
  ctx: AuthContext,
  changes: Partial<Pick<AuthContext, 'projectVectors' | 'vectorIndex' | 'now'>>,
): AuthContext {
  const changed = { ...ctx, ...changes }
  return { ...changed, vectors: tieredVectors(changed) }
}

/** Stores a text and leaves it `pending`. */
export async function stored(ctx: AuthContext, text: string, more: Record<string, unknown> = {}): Promise<MemoryItem> {
  const { item } = await asRequest(ctx, (own) => store(own, StoreInput.parse({ content: text, ...more })))
  return item
}

/** A request of its own: its id stamps what it writes, and what goes on after its answer has ended too. */
async function asRequest<T>(ctx: AuthContext, work: (own: AuthContext) => Promise<T>): Promise<T> {
  const after: Promise<unknown>[] = []
  const waitUntil = (late: Promise<unknown>): void => void after.push(late)
  const answer = await work({ ...ctx, requestId: system.newId('req'), trail: newTrail(), waitUntil })
  await Promise.all(after)
  return answer
}

/** Stores texts and embeds them. */
export async function embedded(
  ctx: AuthContext,
  texts: readonly string[],
  more: Record<string, unknown> = {},
): Promise<string[]> {
  const ids: string[] = []
  for (let at = 0; at < texts.length; at += MAX_BATCH_OPERATIONS) {
    const operations = texts.slice(at, at + MAX_BATCH_OPERATIONS).map((content) => ({ op: 'store', content, ...more }))
    const { results } = await asRequest(ctx, (own) => batch(own, { operations, atomic: true }))
    ids.push(...results.map(({ id }) => id ?? ''))
  }
  await embedItems(ctx, db, ids)
  return ids
}

export const find = (ctx: AuthContext, query: string, more: Record<string, unknown> = {}): Promise<SearchReply> =>
  search({ ...ctx, trail: newTrail() }, SearchInput.parse({ query, ...more }))

export const idsOf = (reply: SearchReply): string[] => reply.results.map((result) => result.id)

/**
 * Sweeps until `holds` passes: one sweep sends a bounded number of items again, and items of other tests are due too.
 * Time goes forward only. So each sweep takes over the leases that the last step of the clock ended.
 */
export async function sweepUntil(holds: () => Promise<void>): Promise<void> {
  for (let sweeps = 1; ; sweeps++) {
    travel(61_000)
    await embedSweep.run(system)
    try {
      return await until(holds, { withinMs: 8_000 })
    } catch (error) {
      if (sweeps === 5) throw error
    }
  }
}

/** The row of an item as it is in the database. */
export const rowOf = async (id: string) =>
  db.first<{
    embedding_status: string
    embedded_version: number | null
    attempts: number
    embedding_error: string | null
  }>('select embedding_status, embedded_version, attempts, embedding_error from memory_items where id = :id', { id })
