import type { System } from '../core/context.ts'
import type { Database } from '../core/db.ts'
import type { EventRow } from './event.ts'

/** Sends events to the hubs of those members of their audience that have a socket open now. */
export async function fanOutToSockets(_system: System, _db: Database, _events: readonly EventRow[]): Promise<void> {}
