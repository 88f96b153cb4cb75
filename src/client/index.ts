import { Http, type ClientOptions } from './http.ts'
import { EventStream, type ListenOptions, type SocketLike } from './stream.ts'
import type {
  MemoryItem,
  PublishedEvent,
  PublishEvent,
  SearchMemory,
  SearchResults,
  StoreMemory,
  UpdateMemory,
} from './types.ts'

export { RecollectError, type ClientOptions, type Credential, type TokenSource } from './http.ts'
export { EventStream, type ListenOptions, type SocketLike } from './stream.ts'
export type * from './types.ts'

export interface RecollectOptions extends ClientOptions {
  /** Opens a WebSocket; by default the global `WebSocket`. */
  openSocket?: (url: string, protocols: string[]) => SocketLike
}

/** The TypeScript client: memory, search and events, over `fetch` and `WebSocket`, with no dependencies. */
export class Recollect {
  readonly memory: MemoryClient
  readonly events: EventsClient

  constructor(options: RecollectOptions) {
    const http = new Http(options)
    this.memory = new MemoryClient(http)
    this.events = new EventsClient(http, options)
  }
}

export class MemoryClient {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  store(input: StoreMemory): Promise<MemoryItem> {
    return this.#http.request('POST', '/api/memory/store', input)
  }

  retrieve(id: string): Promise<MemoryItem> {
    return this.#http.request('GET', `/api/memory/retrieve?id=${encodeURIComponent(id)}`)
  }

  search(input: SearchMemory): Promise<SearchResults> {
    return this.#http.request('POST', '/api/memory/search', input)
  }

  update(id: string, changes: UpdateMemory): Promise<MemoryItem> {
    return this.#http.request('PATCH', `/v1/memory/items/${encodeURIComponent(id)}`, changes)
  }

  delete(id: string): Promise<void> {
    return this.#http.request('DELETE', `/v1/memory/items/${encodeURIComponent(id)}`)
  }

  /** One page, newest first; `next_cursor` is the `cursor` of the next page. */
  list(query: Record<string, string> = {}): Promise<{ data: MemoryItem[]; next_cursor: string | null }> {
    return this.#http.request('GET', `/v1/memory/items?${new URLSearchParams(query).toString()}`)
  }
}

export class EventsClient {
  readonly #http: Http
  readonly #options: RecollectOptions

  constructor(http: Http, options: RecollectOptions) {
    this.#http = http
    this.#options = options
  }

  publish(event: PublishEvent): Promise<PublishedEvent> {
    return this.#http.request('POST', '/api/events/publish', event)
  }

  /** Listens until `close()` and reconnects whenever the connection is lost. */
  listen(options: ListenOptions): EventStream {
    const { openSocket, sleep } = this.#options
    return new EventStream(options, {
      url: `${this.#http.baseUrl.replace(/^http/, 'ws')}/realtime`,
      token: () => this.#http.token(),
      ...(openSocket ? { open: openSocket } : {}),
      ...(sleep ? { sleep } : {}),
    })
  }
}
