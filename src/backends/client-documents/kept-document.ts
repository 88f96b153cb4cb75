import type { DocumentReply } from '../../core/ports.ts'
import { KEEP_FAILURE_MS } from './freshness.ts'
import { readDocument, type DocumentDeps } from './read-document.ts'

/** One document in memory. It is fetched once for all who ask at the same time. */
export class KeptDocument {
  readonly #deps: DocumentDeps
  #last: { reply: DocumentReply; until: number } | null = null
  #reading: Promise<DocumentReply> | null = null

  constructor(deps: DocumentDeps) {
    this.#deps = deps
  }

  /** The reply of a fetch that is under way, or the last one while it is fresh; null: the document must be fetched. */
  async kept(): Promise<DocumentReply | null> {
    if (this.#reading) return this.#reading
    return this.#last !== null && this.#deps.now() < this.#last.until ? this.#last.reply : null
  }

  async fetch(url: string, allowPrivate: boolean): Promise<DocumentReply> {
    this.#reading ??= this.#read(url, allowPrivate).finally(() => (this.#reading = null))
    return this.#reading
  }

  async #read(url: string, allowPrivate: boolean): Promise<DocumentReply> {
    const reply = await readDocument(this.#deps, url, allowPrivate)
    const until = reply.outcome === 'read' ? reply.freshUntil : this.#deps.now() + KEEP_FAILURE_MS
    this.#last = { reply, until }
    return reply
  }
}
