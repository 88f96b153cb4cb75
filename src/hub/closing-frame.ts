import type { System } from '../core/context.ts'
import { iso } from '../core/values/clock.ts'
import type { CloseReason } from './close-codes.ts'
import { newEphemeralId } from './ephemeral-id.ts'

/**
 * The JSON of the last frame of a socket that the service closes (contract §5). A client may get the close itself much later:
 * workerd ends the connection of a hibernating socket only with the object. The id resumes from this instant.
 */
export async function closingFrame(
  system: Pick<System, 'dataKeys' | 'newId' | 'now'>,
  routingId: string,
  { code, reason }: CloseReason,
): Promise<string> {
  const now = system.now()
  return JSON.stringify({
    id: await newEphemeralId(system, routingId, now),
    type: 'system.status',
    channel: 'system',
    timestamp: iso(now),
    data: { state: 'closing', code, reason },
  })
}
