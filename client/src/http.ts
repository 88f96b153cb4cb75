import type { Answer } from './call.ts'
import { Deadline } from './deadline.ts'
import { ConnectionError, errorOfResponse, problemOf, type RecollectError } from './errors.ts'
import { holds } from './holds.ts'
import { withEnvironment, type CallOptions, type ClientOptions, type TokenSource } from './options.ts'
import { isInProgress, isPassing, isRepeatable, retryDelayMs, takesKey } from './retry.ts'
import { urlOf } from './url.ts'

export interface HttpRequest {
  method: string
  /** As in the OpenAPI document, with the names of its parameters in braces. */
  path: string
  /** The values of these names, in order. */
  ids?: readonly string[]
  query?: object | undefined
  /** An object is sent as JSON, or as a form where the operation takes one; a string as lines of JSON. */
  body?: unknown
  options?: CallOptions | undefined
}

/** Reads a response while the deadline runs. */
type Reader<T> = (response: Response) => Promise<T>

/** A request as each of its tries sends it. */
interface Attempt<T> {
  request: HttpRequest
  url: string
  body: string | URLSearchParams | undefined
  key: string | undefined
  deadline: Deadline
  read: Reader<T>
}

interface Failure {
  failure: RecollectError
  response?: Response
}

const CALL_TIMEOUT_MS = 30_000
const IMPORT_TIMEOUT_MS = 120_000
const MAX_RETRIES = 2
const HEADER_OF = { accessToken: 'Authorization', sessionToken: 'X-Session-Token', apiKey: 'X-API-Key' } as const

/** Requests over HTTP: credential, deadline, retries, idempotency key. */
export class Http {
  readonly #options: ClientOptions
  readonly baseUrl: string
  #renewal: { refused: string; token: Promise<string> } | null = null

  constructor(options: ClientOptions) {
    this.#options = withEnvironment(options)
    const { baseUrl = '' } = this.#options
    if (!/^https?:\/\/[^\s?#]+$/i.test(baseUrl))
      throw new TypeError(`baseUrl or RECOLLECT_URL must be the address of a service, not "${baseUrl}".`)
    this.baseUrl = baseUrl.replace(/\/+$/, '')
  }

  /** Sends a request and reads its whole response: JSON, or text where it is none. */
  send<T>(request: HttpRequest): Promise<Answer<T>> {
    const deadline = this.deadline(request)
    return this.open<T>(request, deadline, readBody).finally(() => deadline.end())
  }

  deadline({ body, options }: HttpRequest): Deadline {
    const byDefault = typeof body === 'string' ? IMPORT_TIMEOUT_MS : CALL_TIMEOUT_MS
    return new Deadline(options?.timeoutMs ?? this.#options.timeoutMs ?? byDefault, options?.signal)
  }

  /** Sends a request until `read` has a response of it, or a failure that no other try mends. */
  async open<T>(request: HttpRequest, deadline: Deadline, read: Reader<T>): Promise<Answer<T>> {
    const { method, path, options } = request
    const { sleep: wait = sleep, random = randomFraction } = this.#options
    const maxRetries = options?.maxRetries ?? this.#options.maxRetries ?? MAX_RETRIES
    // Each try sends the same key: if an earlier try succeeded, the service replays its reply.
    const key = options?.idempotencyKey ?? (takesKey(method, path) ? randomKey() : undefined)
    const attempt = { request, url: this.baseUrl + urlOf(request), body: bodyOf(request), key, deadline, read }
    const repeatable = isRepeatable(request)
    // Nobody else has a key that was made here: the request that is still at work is this one, which the network doubled.
    const isOwnKey = options?.idempotencyKey === undefined
    // After a failure other than a refusal nobody knows whether the work was done.
    let perhapsDone = false
    for (let retries = 0; ; retries += 1) {
      const outcome = await this.#try(attempt)
      if (!('failure' in outcome)) return outcome
      const { failure } = outcome
      const done = perhapsDone ? await this.#doneBefore<T>(request, outcome, deadline) : null
      if (done) return done
      const again = (isPassing(failure) && retries < maxRetries) || ((perhapsDone || isOwnKey) && isInProgress(failure))
      const delayMs = retryDelayMs(failure.retryAfter, retries, random())
      if (!repeatable || !again || delayMs >= deadline.remainingMs) throw failure
      perhapsDone ||= failure.status !== 429
      await deadline.race(wait(delayMs, deadline.signal))
    }
  }

  /** The token of the credential; null without one. */
  async token(): Promise<string | null> {
    const source = this.#source()
    return typeof source === 'function' ? source() : (source ?? null)
  }

  /** The token that follows one that was refused, the same for all who ask at once; null where none does. */
  async tokenAfter(refused: string): Promise<string | null> {
    const source = this.#source()
    if (typeof source !== 'function') return null
    if (this.#renewal?.refused !== refused) this.#renewal = { refused, token: (async () => source(refused))() }
    const token = await this.#renewal.token.catch((error: unknown) => {
      this.#renewal = null
      throw error
    })
    if (token !== refused) return token
    this.#renewal = null
    return null
  }

  #source(): TokenSource | undefined {
    return Object.values<TokenSource>({ ...this.#options.credential })[0]
  }

  async #try<T>(attempt: Attempt<T>): Promise<Answer<T> | Failure> {
    const { request, deadline, read } = attempt
    // Tokens come from forms that carry their own credentials.
    let token = isForm(request) ? null : await deadline.race(this.token())
    for (let refreshed = false; ; refreshed = true) {
      let outcome: Answer<T> | Failure
      try {
        const response = await deadline.race(this.#fetch(attempt, token))
        outcome = response.ok
          ? { data: await deadline.race(read(response)), response, requestId: response.headers.get('x-request-id') }
          : { failure: await deadline.race(errorOfResponse(response)), response }
      } catch (cause) {
        if (deadline.signal.aborted) throw deadline.signal.reason
        return {
          failure: new ConnectionError(
            problemOf('connection_failed', `The connection to ${this.baseUrl} failed.`),
            null,
            cause,
          ),
        }
      }
      if (refreshed || token === null || outcome.response?.status !== 401) return outcome
      token = await deadline.race(this.tokenAfter(token))
      if (token === null) return outcome
    }
  }

  #fetch({ request, url, body, key, deadline }: Attempt<unknown>, token: string | null): Promise<Response> {
    const { method, options } = request
    const { fetch: send = fetch, credential = {} } = this.#options
    const headers = new Headers(options?.headers)
    const kind = Object.keys(credential)[0] as keyof typeof HEADER_OF
    if (token !== null) headers.set(HEADER_OF[kind], kind === 'accessToken' ? `Bearer ${token}` : token)
    if (key !== undefined) headers.set('Idempotency-Key', key)
    if (options?.ifVersion !== undefined) headers.set('If-Match', `"${options.ifVersion}"`)
    if (typeof body === 'string')
      headers.set('Content-Type', typeof request.body === 'string' ? 'application/x-ndjson' : 'application/json')
    // Not followed: another host would get the credential.
    return send(url, {
      method,
      headers,
      signal: deadline.signal,
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    })
  }

  /** The effect of an earlier try whose answer was lost; null if it had none. */
  async #doneBefore<T>(
    { method, path, ids = [], body, options }: HttpRequest,
    { failure, response }: Failure,
    deadline: Deadline,
  ): Promise<Answer<T> | null> {
    if (method === 'DELETE' && response?.status === 404)
      return { data: undefined as T, response, requestId: failure.requestId }
    if (method !== 'PATCH' || failure.status !== 412) return null
    const { signal, remainingMs: timeoutMs } = deadline
    const now = await this.send<T & { version: number }>({ method: 'GET', path, ids, options: { signal, timeoutMs } })
    return now.data.version === (options?.ifVersion ?? 0) + 1 &&
      holds(now.data, { ...(body as object), merge_metadata: undefined })
      ? now
      : null
  }
}

async function readBody<T>(response: Response): Promise<T> {
  const text = await response.text()
  if (response.status === 204) return undefined as T
  const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '')
  return (isJson ? JSON.parse(text) : text) as T
}

function bodyOf(request: HttpRequest): string | URLSearchParams | undefined {
  const { body } = request
  if (body === undefined || typeof body === 'string') return body
  return isForm(request) ? new URLSearchParams(body as Record<string, string>) : JSON.stringify(body)
}

/** Registration takes JSON; the other operations below `/auth` take a form. */
const isForm = ({ path }: HttpRequest): boolean =>
  path.startsWith('/auth/') && path !== '/auth/register' && path !== '/auth/logout'

/** Ends early, without a result, once the signal says so: no timer then keeps the program running. */
export const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => clearTimeout(timer))
  })

export const randomFraction = (): number => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32

/** 32 hexadecimal digits. */
export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
