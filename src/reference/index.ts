import { healthEndpoint } from './health.ts'

export const referenceEndpoints = [healthEndpoint]
