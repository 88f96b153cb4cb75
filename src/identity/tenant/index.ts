import { getTenantEndpoint } from './get.ts'
import { handOverEndpoint } from './hand-over.ts'
import { listPeopleEndpoint } from './list-people.ts'
import { makeResetLinkForPersonEndpoint } from './make-reset-link.ts'

export const tenantEndpoints = [getTenantEndpoint, handOverEndpoint, listPeopleEndpoint, makeResetLinkForPersonEndpoint]
