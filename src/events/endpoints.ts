import { publishEndpoint } from './publish.ts'

export const eventEndpoints = [publishEndpoint]
