export { newEphemeralId, readEphemeralId } from './ephemeral-id.ts'
export { hubClient } from './hub.client.ts'
export { leavePresence } from './presence.ts'
