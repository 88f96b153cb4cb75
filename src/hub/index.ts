export { hubClient } from './hub.client.ts'
