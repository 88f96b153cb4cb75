export { hubClient } from './hub.client.ts'
export { leavePresence } from './presence.ts'
