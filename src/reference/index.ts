import type { Endpoint } from '../core/endpoint.ts'
import { healthEndpoint } from './health.ts'
import { readyEndpoint } from './ready.ts'
import { openApiEndpoint } from './openapi.ts'

/** The service about itself. `all` is asked when a request comes, as the list holds these endpoints too. */
export const referenceEndpoints = (all: () => readonly Endpoint[]): Endpoint[] => [
  healthEndpoint,
  readyEndpoint,
  openApiEndpoint(all),
]
