import { AppError, ERROR_STATUS, isAppError, type ErrorCode, type FieldError } from '../core/errors.ts'

/** Sends a request through the whole Worker: same isolate, no network. `pageRead`: to show a page (contract §3). */
export type Dispatch = (request: Request, pageRead: boolean) => Promise<Response>

/** A page waits for the next window of the limit on reads, which is a second (contract §6). */
const MAX_READ_WAIT_S = 1
/** A click that makes many calls waits longer, since others of the user may take its permits. */
const MAX_STEP_WAIT_S = 5
const STEP_ATTEMPTS = 10

type Query = Record<string, string | number | readonly string[] | undefined>

interface JsonRequest {
  method: string
  body?: unknown
  idempotencyKey?: string
  ifVersion?: number
  pageRead?: boolean
}

interface Problem {
  code: string
  detail: string
  errors?: FieldError[]
}

/**
 * The public API as the signed-in user. Limits, scopes, validation and audit apply to the portal as to any client.
 * Methods throw the `AppError` that the API answered.
 */
export class Api {
  readonly #dispatch: Dispatch
  readonly #page: Request
  readonly #token: string | null

  constructor(dispatch: Dispatch, page: Request, token: string | null) {
    this.#dispatch = dispatch
    this.#page = page
    this.#token = token
  }

  /** A page makes several reads, so a read over the limit is tried once more in the next window. */
  get<T>(path: string, query: Query = {}): Promise<T> {
    return whenAdmitted({ attempts: 2, maxWaitS: MAX_READ_WAIT_S }, () =>
      this.#json(withQuery(path, query), { method: 'GET', pageRead: true }),
    )
  }

  /** A search: a read whose question is in its body. */
  search<T>(path: string, body: unknown): Promise<T> {
    return whenAdmitted({ attempts: 2, maxWaitS: MAX_READ_WAIT_S }, () =>
      this.#json(path, { method: 'POST', body, pageRead: true }),
    )
  }

  /** `idempotencyKey` comes from the form: a form sent twice creates once. */
  post<T>(path: string, body?: unknown, idempotencyKey?: string): Promise<T> {
    return this.#json(path, { method: 'POST', body, ...(idempotencyKey ? { idempotencyKey } : {}) })
  }

  /** One of the many calls that a click makes. Over the limit it waits as long as the answer says. */
  postStep<T>(path: string, body: unknown): Promise<T> {
    return whenAdmitted({ attempts: STEP_ATTEMPTS, maxWaitS: MAX_STEP_WAIT_S }, () => this.post(path, body))
  }

  /** `ifVersion`: the only version that it changes; 412 for another one. */
  patch<T>(path: string, body: unknown, ifVersion?: number): Promise<T> {
    return this.#json(path, { method: 'PATCH', body, ...(ifVersion === undefined ? {} : { ifVersion }) })
  }

  delete<T>(path: string, body?: unknown): Promise<T> {
    return this.#json(path, { method: 'DELETE', body })
  }

  /** Sends a form-encoded body, which login and registration require. */
  async form<T>(path: string, fields: Record<string, string>): Promise<T> {
    const response = await this.raw(path, { method: 'POST', body: new URLSearchParams(fields) })
    if (!response.ok) throw await refusal(response)
    return (await response.json()) as T
  }

  /** The unread response, whatever its status: for streams. */
  raw(
    path: string,
    init: { method: string; body?: BodyInit | null; headers?: Record<string, string>; pageRead?: boolean },
  ): Promise<Response> {
    const headers = new Headers(init.headers)
    if (this.#token !== null) headers.set('X-Session-Token', this.#token)
    for (const name of CLIENT_HEADERS) {
      const value = this.#page.headers.get(name)
      if (value !== null) headers.set(name, value)
    }
    return this.#dispatch(
      new Request(new URL(path, this.#page.url), {
        method: init.method,
        headers,
        body: init.body ?? null,
        // Where the browser is: a sign-up asks for it.
        ...(this.#page.cf ? { cf: this.#page.cf } : {}),
      }),
      init.pageRead ?? false,
    )
  }

  async #json<T>(path: string, init: JsonRequest): Promise<T> {
    const response = await this.raw(path, {
      method: init.method,
      pageRead: init.pageRead ?? false,
      headers: {
        ...(init.body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(init.idempotencyKey ? { 'Idempotency-Key': init.idempotencyKey } : {}),
        ...(init.ifVersion === undefined ? {} : { 'If-Match': `"${init.ifVersion}"` }),
      },
      body: init.body === undefined ? null : JSON.stringify(init.body),
    })
    if (!response.ok) throw await refusal(response)
    return (response.status === 204 ? undefined : await response.json()) as T
  }
}

interface Patience {
  attempts: number
  /** A longer wait is left to the person. */
  maxWaitS: number
}

async function whenAdmitted<T>({ attempts, maxWaitS }: Patience, call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call()
    } catch (error) {
      const waitS =
        isAppError(error) && error.code === 'rate_limited' ? Number(error.headers['Retry-After']) : Number.NaN
      if (attempt === attempts || !(waitS <= maxWaitS)) throw error
      await scheduler.wait(waitS * 1_000)
    }
  }
}

/** Headers of the browser that the API needs: its address for the limits, its name for the list of sessions. */
const CLIENT_HEADERS = ['cf-connecting-ip', 'user-agent']

/** The error that a failed response of the API stands for. */
export async function refusal(response: Response): Promise<AppError> {
  const problem = (await response.json().catch(() => null)) as Problem | null
  const retryAfter = response.headers.get('retry-after')
  return new AppError(isErrorCode(problem?.code) ? problem.code : 'internal', {
    detail: problem?.detail ?? 'Something went wrong on our side.',
    ...(problem?.errors ? { errors: problem.errors } : {}),
    ...(retryAfter ? { headers: { 'Retry-After': retryAfter } } : {}),
  })
}

const isErrorCode = (code: string | undefined): code is ErrorCode => code !== undefined && code in ERROR_STATUS

function withQuery(path: string, query: Query): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) for (const one of value) params.append(name, String(one))
    else if (value !== undefined && value !== '') params.set(name, String(value))
  }
  const text = params.toString()
  return text === '' ? path : `${path}?${text}`
}
