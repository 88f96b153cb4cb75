import { authEndpoints } from './auth/index.ts'
import type { Endpoint } from './core/http/endpoint.ts'
import { connectEndpoints, eventEndpoints } from './events/index.ts'
import { mcpEndpoints } from './mcp/index.ts'
import { memoryEndpoints } from './memory/index.ts'
import {
  auditEndpoints,
  invitationEndpoints,
  keyEndpoints,
  memberEndpoints,
  namesEndpoint,
  projectEndpoints,
  tenantEndpoints,
  userEndpoints,
  workspaceEndpoints,
} from './identity/index.ts'
import { operatorEndpoints } from './operator/index.ts'
import { referenceEndpoints } from './reference/index.ts'

/** Every endpoint: the router, the OpenAPI document and the matrix tests read this list. */
export const endpoints: readonly Endpoint[] = [
  ...authEndpoints,
  ...userEndpoints,
  ...tenantEndpoints,
  ...keyEndpoints,
  ...auditEndpoints,
  ...workspaceEndpoints,
  ...memberEndpoints,
  ...invitationEndpoints,
  ...projectEndpoints,
  namesEndpoint,
  ...eventEndpoints,
  ...memoryEndpoints,
  ...connectEndpoints,
  ...mcpEndpoints,
  ...operatorEndpoints,
  ...referenceEndpoints(() => endpoints),
]
