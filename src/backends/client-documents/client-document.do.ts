import { DurableObject } from 'cloudflare:workers'
import type { DocumentReply } from '../../core/ports.ts'
import { systemClock } from '../../core/values/clock.ts'
import { dohResolver } from '../resolver.doh.ts'
import { KeptDocument } from './kept-document.ts'

/** The metadata document at one address. It stands in memory alone: a stranger who names addresses leaves nothing behind. */
export class ClientDocument extends DurableObject<Env> {
  readonly #document = new KeptDocument({
    fetch: (input, init) => fetch(input, init),
    resolver: dohResolver((input, init) => fetch(input, init)),
    now: systemClock,
  })

  kept(): Promise<DocumentReply | null> {
    return this.#document.kept()
  }

  fetchDocument(url: string, allowPrivate: boolean): Promise<DocumentReply> {
    return this.#document.fetch(url, allowPrivate)
  }
}
