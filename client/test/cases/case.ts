import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Sent, Step } from './scripted-service.ts'

/** A call of a client, and what must come of it. Both clients run each case. */
export interface Case {
  name: string
  /** `memory.store`, `GET /v1/tenant` for `request()`, or `remember` and `recall`. */
  call: string
  ids?: string[]
  /** The query or the body; the lines of an import. */
  input?: unknown
  options?: Partial<Record<'idempotency_key' | 'project_id', string>> &
    Partial<Record<'if_version' | 'lines_per_call', number>> &
    ConversationOptions
  /** Of the client. A list is what the source of a token returns, one after the other. */
  client?: {
    timeout?: number
    max_retries?: number
    api_key?: string
    access_token?: string | string[]
    session_token?: string
  }
  steps: Step[]
  /** The result; the items, for a call that is iterated over. */
  result?: unknown
  iterate?: true
  error?: Partial<NonNullable<Observed['error']>>
  /** In order, each with what it must have at least. */
  requests?: { method?: string; path?: string; headers?: Record<string, string | null>; body?: unknown }[]
  /** Seconds. */
  waits?: number[]
  /** All requests have the same key, which the client made. */
  same_key?: true
  /** All requests have the same body. */
  same_body?: true
}

/** Of `remember` and `recall`. */
interface ConversationOptions {
  user?: string
  conversation_id?: string
  context?: Record<string, string>
  mode?: 'append' | 'history'
  tags?: string[]
  max_tokens?: number
  filters?: { tags: string[] }
  exclude_conversation_id?: string
  format?: 'text' | 'items'
}

/** What came of a call, with the names of the Python client. */
export interface Observed {
  result: unknown
  error: {
    class: string
    message: string
    status: number | null
    code: string | null
    request_id: string | null
    retry_after: number | null
    errors: unknown[] | null
  } | null
  waits: number[]
}

const FILES = ['answers', 'errors', 'retries', 'once', 'pages', 'credentials', 'transfer', 'conversations']

export const CASES = FILES.flatMap((file) =>
  (JSON.parse(readFileSync(join(import.meta.dirname, `${file}.json`), 'utf8')) as Case[]).map((one) => ({
    ...one,
    name: `${file}: ${one.name}`,
  })),
)

/** Of what came, the parts that a case tells. */
export function told(one: Case, observed: Observed, sent: Sent[]): object {
  const { result, error, waits, requests, same_key, same_body } = one
  const keys = new Set(sent.map(({ headers }) => headers['idempotency-key'] ?? ''))
  return {
    result: result === undefined ? undefined : observed.result,
    error: error ? named(observed.error, error) : observed.error,
    waits: waits && observed.waits,
    requests: requests && sent.map((each, n) => partsOf(each, requests[n])),
    same_key: same_key && keys.size === 1 && [...keys].every((key) => /^[\da-f]{32}$/.test(key)),
    same_body: same_body && new Set(sent.map(({ body }) => JSON.stringify(body))).size === 1,
  }
}

export const expected = ({ result, error, waits, requests, same_key, same_body }: Case): object => ({
  result,
  error: error ?? null,
  waits,
  requests,
  same_key,
  same_body,
})

/** Of an object, the members that another one has. */
export const named = (value: object | null, like: object): Record<string, unknown> =>
  Object.fromEntries(Object.keys(like).map((name) => [name, Reflect.get(value ?? {}, name) ?? null]))

const partsOf = (sent: Sent, like: NonNullable<Case['requests']>[number] = {}): object => ({
  ...named(sent, like),
  ...(like.headers ? { headers: named(sent.headers, like.headers) } : {}),
})

/** A value that must be there. Throws where it is not. */
export function there<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a value is missing')
  return value
}
