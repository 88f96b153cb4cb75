import type { Call } from './call.ts'
import type { EventMessage, RecollectEvent } from './events.ts'
import * as families from './families.ts'
import { callOf, familyOf } from './families.ts'
import { Http } from './http.ts'
import { linesOf } from './lines.ts'
import { Transfer } from './memory.ts'
import type { CallOptions, ClientOptions } from './options.ts'
import type { SocketLike } from './stream/socket.ts'
import { EventStream } from './stream/event-stream.ts'
import type { ListenOptions } from './stream/listen-options.ts'
import type { AuditRow, Family, MethodsOf, OperationOf, paths, QueryOf, ReplyOf, RequestInput } from './types.ts'

export type { Answer, Call, PageCall } from './call.ts'
export * from './errors.ts'
export type * from './events.ts'
export type { ImportLine, ImportOptions, ImportSummary } from './memory.ts'
export { refreshingToken, type OAuthOptions, type Tokens } from './oauth.ts'
export type { CallOptions, ClientOptions, Credential, TokenSource } from './options.ts'
export { EventStream } from './stream/event-stream.ts'
export type { ListenOptions } from './stream/listen-options.ts'
export type { SocketLike } from './stream/socket.ts'
export type * from './types.ts'
export { verifyWebhook, type WebhookRequest } from './webhook.ts'

export interface RecollectOptions extends ClientOptions {
  /**
   * Opens a WebSocket; by default the global `WebSocket`, and on Node 20 that of the package `ws`. A failure of this function
   * ends the stream; a connection that fails is an `error` or a `close` of the socket.
   */
  openSocket?: (url: string, protocols: string[]) => SocketLike | Promise<SocketLike>
}

/** What `request()` does with its input. */
type RequestArguments<O> =
  Partial<RequestInput<O>> extends RequestInput<O> ? [input?: RequestInput<O>] : [input: RequestInput<O>]

/** The TypeScript client: every operation, and the stream of events, over `fetch` and `WebSocket`, with no dependencies. */
export class Recollect {
  readonly memory: Family<typeof families.MEMORY> & Transfer
  readonly conversations: Family<typeof families.CONVERSATIONS>
  readonly erasures: Family<typeof families.ERASURES>
  readonly projects: Family<typeof families.PROJECTS>
  readonly workspaces: Family<typeof families.WORKSPACES>
  readonly members: Family<typeof families.MEMBERS>
  readonly keys: Family<typeof families.KEYS>
  readonly apps: Family<typeof families.APPS>
  readonly events: Family<typeof families.EVENTS> & Listener
  readonly subscriptions: Family<typeof families.SUBSCRIPTIONS>
  readonly deliveries: Family<typeof families.DELIVERIES>
  readonly audit: Family<typeof families.AUDIT> & AuditLog
  readonly usage: Family<typeof families.USAGE>
  readonly me: Family<typeof families.ME>
  readonly #http: Http

  /** Without options, address and key come from `RECOLLECT_URL` and `RECOLLECT_API_KEY`. A TypeError without an address. */
  constructor(options: RecollectOptions = {}) {
    const http = new Http(options)
    this.#http = http
    this.memory = Object.assign(new Transfer(http), familyOf(http, families.MEMORY))
    this.conversations = familyOf(http, families.CONVERSATIONS)
    this.erasures = familyOf(http, families.ERASURES)
    this.projects = familyOf(http, families.PROJECTS)
    this.workspaces = familyOf(http, families.WORKSPACES)
    this.members = familyOf(http, families.MEMBERS)
    this.keys = familyOf(http, families.KEYS)
    this.apps = familyOf(http, families.APPS)
    this.events = Object.assign(new Listener(http, options), familyOf(http, families.EVENTS))
    this.subscriptions = familyOf(http, families.SUBSCRIPTIONS)
    this.deliveries = familyOf(http, families.DELIVERIES)
    this.audit = Object.assign(new AuditLog(http), familyOf(http, families.AUDIT))
    this.usage = familyOf(http, families.USAGE)
    this.me = familyOf(http, families.ME)
  }

  /**
   * Any operation of the OpenAPI document, by method and path:
   * `request('GET', '/v1/projects/{id}', { path: { id } })`. It has the deadline, retries and errors of all calls.
   */
  request<P extends keyof paths, M extends MethodsOf<P>>(
    method: M,
    path: P,
    ...[input]: RequestArguments<OperationOf<M, P>>
  ): Call<ReplyOf<OperationOf<M, P>>> {
    const {
      path: values = {},
      query,
      body,
      ...options
    } = (input ?? {}) as CallOptions & {
      path?: Record<string, string>
      query?: object
      body?: unknown
    }
    const ids = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => values[name] ?? '')
    return callOf(this.#http, { method, path, ids, query, body, options })
  }
}

export class Listener {
  readonly #http: Http
  readonly #options: RecollectOptions

  constructor(http: Http, options: RecollectOptions) {
    this.#http = http
    this.#options = options
  }

  /** Listens until `close()`, and reconnects whenever the connection is lost. */
  listen<Event extends EventMessage = RecollectEvent>(options: ListenOptions<Event>): EventStream<Event> {
    const { openSocket, sleep, random } = this.#options
    return new EventStream(options, {
      url: `${this.#http.baseUrl.replace(/^http/, 'ws')}/realtime`,
      token: (refused) => (refused === undefined ? this.#http.token() : this.#http.tokenAfter(refused)),
      // One request for each scope that the channels need (contract §5).
      probe: async () => {
        await this.#read('/api/events/subscriptions')
        if (options.channels.join().split(',').includes('memory')) await this.#read('/v1/memory/items')
      },
      ...(openSocket ? { open: openSocket } : {}),
      ...(sleep ? { sleep } : {}),
      ...(random ? { random } : {}),
    })
  }

  /** The stream itself waits and tries again. */
  #read(path: string): Promise<unknown> {
    return this.#http.send({ method: 'GET', path, query: { limit: 1 }, options: { maxRetries: 0 } })
  }
}

export class AuditLog {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  /** All rows, as they come. `timeoutMs` is the longest silence. */
  export(query: QueryOf<paths['/v1/audit']['get']> = {}, options: CallOptions = {}): AsyncGenerator<AuditRow, void> {
    const headers = { Accept: 'application/x-ndjson', ...options.headers }
    return linesOf(this.#http, { method: 'GET', path: '/v1/audit', query, options: { ...options, headers } })
  }
}
