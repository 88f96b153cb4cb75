/**
 * A fixed token, or a function that returns a fresh one for each request and each reconnect.
 * After a 401 it is called once more, with the token that was refused, and the request is repeated with what it returns.
 */
export type TokenSource = string | ((refused?: string) => string | Promise<string>)

/** Exactly one credential. An API key belongs on a server, never in code that a browser loads. */
export type Credential = { accessToken: TokenSource } | { sessionToken: TokenSource } | { apiKey: TokenSource }

export interface ClientOptions {
  /** The service's address; by default that of `RECOLLECT_URL`, with the key of `RECOLLECT_API_KEY` as credential. */
  baseUrl?: string
  /** Left out beside a `baseUrl` for calls that need none, such as to register or to log in. */
  credential?: Credential
  /** Milliseconds for a whole call, with its retries: 30,000, and 120,000 for a call of an import. */
  timeoutMs?: number
  /** How often a call is repeated at most, where repeating is safe: 2. */
  maxRetries?: number
  fetch?: typeof fetch
  /** Waits for `ms` milliseconds; the tests shorten it. */
  sleep?: (ms: number) => Promise<void>
  /** From 0 to 1; the tests fix it. */
  random?: () => number
}

/** The options of one call. */
export interface CallOptions {
  /** Milliseconds for the whole call; of a stream or an export, of its longest silence. */
  timeoutMs?: number
  /** Ends the call. It rejects with the reason of the signal. */
  signal?: AbortSignal
  maxRetries?: number
  /** 1 to 255 printable characters, for a call that creates. By default the client makes one. */
  idempotencyKey?: string
  /** The call changes or deletes the item only in this version; otherwise it fails with 412. */
  ifVersion?: number
  headers?: Record<string, string>
}

/** Node, Deno, Bun and Workers have it, browsers do not. */
declare const process: { env: Record<string, string | undefined> } | undefined

/** Options without an address take it from the environment, with its key. No other address gets that key. */
export function withEnvironment(options: ClientOptions): ClientOptions {
  if (options.baseUrl !== undefined || typeof process === 'undefined') return options
  const { RECOLLECT_URL, RECOLLECT_API_KEY: apiKey } = process.env
  return { ...(apiKey ? { credential: { apiKey } } : {}), ...options, ...(RECOLLECT_URL && { baseUrl: RECOLLECT_URL }) }
}
