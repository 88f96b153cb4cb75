import type { Endpoint } from '../core/http/endpoint.ts'
import { errorsEndpoint } from './pages/errors.tsx'
import { eventsPageEndpoint } from './pages/events.tsx'
import { explorerEndpoint } from './pages/explorer.tsx'
import { healthEndpoint } from './health.ts'
import { landingEndpoint } from './pages/landing.tsx'
import { openApiEndpoint } from './openapi/openapi.ts'
import { readyEndpoint } from './ready.ts'

export { createMetrics } from './metrics/metrics.ts'
export { measureSweeps } from './metrics/measure.ts'

/** Health, readiness and documents. `all` is called per request: its list contains these endpoints too. */
export const referenceEndpoints = (all: () => readonly Endpoint[]): Endpoint[] => [
  landingEndpoint,
  healthEndpoint,
  readyEndpoint,
  openApiEndpoint(all),
  explorerEndpoint,
  eventsPageEndpoint,
  errorsEndpoint,
]
