import type { Config } from '../../../core/config.ts'
import type { ClientDocuments } from '../../../core/ports.ts'
import { MINUTE_MS } from '../../../core/values/durations.ts'

/** How long the metadata leave metadata documents out after the resolver did not answer. */
export const LEFT_OUT_MS = 5 * MINUTE_MS

/** What decides whether a `client_id` may be a metadata document now. */
interface DocumentsContext {
  config: Pick<Config, 'clientDocuments' | 'openClientRegistration'>
  clientDocuments: ClientDocuments
  now(): number
}

/** Until when this isolate leaves them out. The port that fetches them is one in each isolate. */
const leftOutUntil = new WeakMap<ClientDocuments, number>()

/** Leaves metadata documents out of the metadata for a while: an agent that tries again then registers itself. */
export const leaveDocumentsOut = (ctx: DocumentsContext): void =>
  void leftOutUntil.set(ctx.clientDocuments, ctx.now() + LEFT_OUT_MS)

/**
 * Whether the metadata say that a `client_id` may be a metadata document. Where nobody registers, they always do: else an
 * agent would have no way in.
 */
export const offersDocuments = (ctx: DocumentsContext): boolean =>
  ctx.config.clientDocuments &&
  (!ctx.config.openClientRegistration || ctx.now() >= (leftOutUntil.get(ctx.clientDocuments) ?? 0))
