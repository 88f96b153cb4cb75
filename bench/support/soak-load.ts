import type { Texts } from './texts.ts'

const TIMEOUT_MS = 30_000
const PAUSE_MS = 250

export interface SoakUser {
  session: string
  subscriptionId: string
}

/** The items that the clients stored, as the answers told them. */
export interface Ledger {
  /** Acknowledged stores: the marker of the text, by item id. */
  stored: Map<string, { marker: string; user: SoakUser }>
  /** Ids whose deletion was acknowledged. */
  deleted: Set<string>
  /** Ids whose deletion broke off: they may be there or not. */
  unclear: Set<string>
}

/** Answers of a span of time. */
export interface Span {
  times: number[]
  refused: number
  /** 5xx. */
  failed: number
  /** No answer. */
  broken: number
}

export const newSpan = (): Span => ({ times: [], refused: 0, failed: 0, broken: 0 })

/** Clients that store, read, search, change and delete until they are stopped. */
export class SoakLoad {
  readonly ledger: Ledger = { stored: new Map(), deleted: new Set(), unclear: new Set() }
  /** The answers since the last look. */
  span = newSpan()
  /** How often each refusal or failure was answered, by its status and code. */
  readonly refusals = new Map<string, number>()
  #running = true
  #marker = 0
  readonly #url: string
  readonly #texts: Texts

  constructor(url: string, texts: Texts) {
    this.#url = url
    this.#texts = texts
  }

  stop(): void {
    this.#running = false
  }

  async run(users: readonly SoakUser[], clients: number): Promise<void> {
    const client = async (_: unknown, nth: number): Promise<void> => {
      const user = users[nth % users.length]
      if (!user) throw new Error('a soak has users')
      const own: string[] = []
      while (this.#running) await this.#step(user, own)
    }
    await Promise.all(Array.from({ length: clients }, client))
  }

  async #step(user: SoakUser, own: string[]): Promise<void> {
    const roll = this.#texts.index(100)
    const id = own.length > 0 ? this.#texts.pick(own) : null
    if (id === null || roll < 35) return this.#store(user, own)
    if (roll < 60) return void (await this.#ask(user, 'GET', `/api/memory/retrieve?id=${id}`))
    if (roll < 85) return void (await this.#ask(user, 'POST', '/api/memory/search', { query: this.#texts.text(4) }))
    if (roll < 90) return void (await this.#ask(user, 'GET', '/v1/memory/items'))
    if (roll < 95) {
      return void (await this.#ask(user, 'PATCH', `/v1/memory/items/${id}`, { tags: [this.#texts.word()] }))
    }
    own.splice(own.indexOf(id), 1)
    const answer = await this.#ask(user, 'DELETE', `/v1/memory/items/${id}`)
    if (answer?.ok) this.ledger.deleted.add(id)
    else this.ledger.unclear.add(id)
  }

  /** A store that got no answer is sent again under its key, as a client would, until it is answered. */
  async #store(user: SoakUser, own: string[]): Promise<void> {
    const marker = `soak-${(this.#marker += 1)}`
    const body = { content: `${marker} ${this.#texts.text(20)}` }
    while (this.#running) {
      const answer = await this.#ask(user, 'POST', '/api/memory/store', body, { 'Idempotency-Key': marker })
      if (answer?.ok) {
        const { id } = answer.body as { id: string }
        this.ledger.stored.set(id, { marker, user })
        own.push(id)
        return
      }
      if (answer && answer.status < 500 && ![409, 429].includes(answer.status)) {
        throw new Error(`a store was answered ${answer.status}: ${JSON.stringify(answer.body)}`)
      }
    }
  }

  async #ask(user: SoakUser, method: string, path: string, body?: object, headers: Record<string, string> = {}) {
    const answer = await ask(this.#url, user.session, method, path, body, headers)
    if (!answer) this.span.broken += 1
    else if (answer.ok) this.span.times.push(answer.ms)
    else if (answer.status === 429) this.span.refused += 1
    else if (answer.status >= 500) this.span.failed += 1
    if (answer && !answer.ok) {
      const { code } = typeof answer.body === 'object' ? (answer.body as { code?: string }) : {}
      const kind = `${answer.status} ${code ?? 'of the local proxy'}`
      this.refusals.set(kind, (this.refusals.get(kind) ?? 0) + 1)
    }
    if (!answer?.ok) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    return answer
  }
}

/** One request of a session; null where no whole answer came. */
export async function ask(
  url: string,
  session: string,
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<{ ok: boolean; status: number; body: unknown; ms: number } | null> {
  const startedAt = performance.now()
  try {
    const answer = await fetch(url + path, {
      method,
      headers: {
        'X-Session-Token': session,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    const isJson = answer.headers.get('content-type')?.includes('json') ?? false
    return {
      ok: answer.ok,
      status: answer.status,
      body: isJson ? (JSON.parse(text) as unknown) : text,
      ms: performance.now() - startedAt,
    }
  } catch {
    return null
  }
}
