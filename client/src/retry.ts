import { backoffMs, type Backoff } from './backoff.ts'
import type { RecollectError } from './errors.ts'
import type { HttpRequest } from './http.ts'

const RETRIED = new Set([0, 408, 429, 502, 503, 504])
const RETRIES: Backoff = [500, 8_000, 1]

/** POST operations that take an `Idempotency-Key`: they create. A test compares them with the OpenAPI document. */
const KEYED = new Set([
  '/api/memory/store',
  '/api/memory/batch',
  '/v1/memory/ingest',
  '/v1/memory/import',
  '/api/projects',
  '/api/events/publish',
  '/api/events/subscriptions',
  '/v1/events/subscriptions/{id}/secret/rotate',
  '/v1/events/subscriptions/{id}/test',
  '/v1/apps',
  '/v1/apps/{id}/rotate-secret',
  '/v1/api-keys',
  '/v1/api-keys/{id}/rotate',
  '/v1/workspaces',
  '/v1/workspaces/{id}/members',
  '/v1/workspaces/{id}/members/{user_id}/reset-link',
  '/v1/workspaces/{id}/invitations/{invitation_id}/renew',
  '/v1/tenant/people/{user_id}/reset-link',
  '/v1/invitations/{id}/accept',
])

/** POST operations that change nothing. */
const READS = ['/api/memory/search', '/v1/memory/recall']

/** `path` is that of the OpenAPI document, with the names of its parameters. */
export const takesKey = (method: string, path: string): boolean => method === 'POST' && KEYED.has(path)

/** Whether a request may be sent twice: it reads, or its second run changes nothing more. */
export function isRepeatable({ method, path, body, options }: HttpRequest): boolean {
  if (method === 'PATCH') return path === '/v1/memory/items/{id}' && options?.ifVersion !== undefined
  if (method !== 'POST') return true
  return takesKey(method, path) || READS.includes(path) || isDryRun(body)
}

const isDryRun = (body: unknown): boolean => (body as { dry_run?: boolean } | undefined)?.dry_run === true

/** A failure that another try may mend. */
export const isPassing = ({ status, code }: RecollectError): boolean => RETRIED.has(status) && code !== 'redirected'

/** The earlier try with the same key is still at work, perhaps behind a line that was cut. */
export const isInProgress = ({ code }: RecollectError): boolean => code === 'idempotency_in_progress'

/** `Retry-After`, or a random part of a time that doubles with each retry. */
export const retryDelayMs = (retryAfter: number | null, retries: number, random: number): number =>
  retryAfter === null ? backoffMs(retries + 1, RETRIES, random) : retryAfter * 1_000
