import type { Problem } from './types.ts'

/** A fixed token, or a function that returns a fresh one for each request and each reconnect. */
export type TokenSource = string | (() => string | Promise<string>)

/** Exactly one credential. An API key belongs on a server, never in code that a browser loads. */
export type Credential = { accessToken: TokenSource } | { sessionToken: TokenSource } | { apiKey: TokenSource }

export interface ClientOptions {
  /** The service's address, without a slash at its end. */
  baseUrl: string
  credential: Credential
  fetch?: typeof fetch
  /** Waits for `ms` milliseconds; the tests shorten it. */
  sleep?: (ms: number) => Promise<void>
}

/** Thrown for every response that is not 2xx. */
export class RecollectError extends Error {
  readonly problem: Problem
  /** Seconds, from `Retry-After`; null without one. */
  readonly retryAfter: number | null

  constructor(problem: Problem, retryAfter: number | null) {
    super(problem.detail || problem.title)
    this.name = 'RecollectError'
    this.problem = problem
    this.retryAfter = retryAfter
  }
}

const MAX_TRIES = 3
const RETRIED = new Set([429, 503])

/** JSON over HTTP: one credential, retries that respect `Retry-After`, an idempotency key on every POST. */
export class Http {
  readonly #options: ClientOptions

  constructor(options: ClientOptions) {
    this.#options = options
  }

  get baseUrl(): string {
    return this.#options.baseUrl
  }

  async request<T>(method: string, path: string, body?: unknown): Promise<T> {
    // Each try sends the same key: if an earlier try succeeded, the service replays its reply.
    const key = method === 'POST' ? { 'Idempotency-Key': randomKey() } : {}
    for (let tries = 1; ; tries += 1) {
      const response = await this.#send(method, path, body, key)
      if (response.ok) return (response.status === 204 ? undefined : await response.json()) as T
      const error = await toError(response)
      if (!RETRIED.has(response.status) || tries === MAX_TRIES) throw error
      await (this.#options.sleep ?? sleep)((error.retryAfter ?? tries) * 1_000)
    }
  }

  async token(): Promise<string> {
    const source = Object.values(this.#options.credential)[0] as TokenSource
    return typeof source === 'string' ? source : source()
  }

  async #send(method: string, path: string, body: unknown, extra: Record<string, string>): Promise<Response> {
    const send = this.#options.fetch ?? fetch
    const headers = {
      ...extra,
      [HEADER_OF[kindOf(this.#options.credential)]]: await this.#headerValue(),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    }
    return send(`${this.baseUrl}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

  async #headerValue(): Promise<string> {
    const token = await this.token()
    return kindOf(this.#options.credential) === 'accessToken' ? `Bearer ${token}` : token
  }
}

type Kind = 'accessToken' | 'sessionToken' | 'apiKey'
const HEADER_OF = { accessToken: 'Authorization', sessionToken: 'X-Session-Token', apiKey: 'X-API-Key' } as const
const kindOf = (credential: Credential): Kind => Object.keys(credential)[0] as Kind

async function toError(response: Response): Promise<RecollectError> {
  const text = await response.text()
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  const fallback: Problem = {
    type: 'about:blank',
    title: response.statusText,
    status: response.status,
    detail: text.slice(0, 200),
    code: 'internal',
    request_id: response.headers.get('x-request-id') ?? '',
  }
  return new RecollectError(parseProblem(text) ?? fallback, Number.isFinite(seconds) ? seconds : null)
}

function parseProblem(text: string): Problem | null {
  try {
    const value: unknown = JSON.parse(text)
    return value !== null && typeof value === 'object' && 'code' in value ? (value as Problem) : null
  } catch {
    return null
  }
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

export const randomFraction = (): number => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32

const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
