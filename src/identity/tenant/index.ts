import { getTenantEndpoint } from './get.ts'
import { handOverEndpoint } from './hand-over.ts'

export const tenantEndpoints = [getTenantEndpoint, handOverEndpoint]
