import type { Endpoint } from './core/endpoint.ts'
import { projectEndpoints } from './identity/index.ts'

/** Every endpoint: the router, the OpenAPI document and the matrix tests read this list. */
export const endpoints: readonly Endpoint[] = [...projectEndpoints]
