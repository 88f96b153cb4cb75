import { findClient } from '../../auth/index.ts'
import type { Principal, Scope } from '../../core/context.ts'
import { scopesOf } from '../../core/http/endpoint.ts'
import type { McpCall } from '../call.ts'
import { TOOLS } from './index.ts'
import type { ListedTool, Tool } from './tool.ts'

/**
 * The tools that the caller sees. A key and a session see what they may use; an access token sees what its application
 * could be granted, since a call without the scope leads to the consent page.
 */
export async function listTools(call: McpCall): Promise<ListedTool[]> {
  const principal = await call.principal()
  const bound = call.projectId !== null
  const { appId } = principal.credential
  const scopes = appId === null ? principal.scopes : ((await findClient(call.ctx, appId))?.scopes ?? principal.scopes)
  return TOOLS.filter((tool) => (tool.toolset ?? 'all') === call.toolset && isFor(tool, principal, scopes, bound)).map(
    (tool) => tool.listed(bound),
  )
}

function isFor(
  { operation, hidden, writes }: Tool,
  principal: Principal,
  scopes: readonly Scope[],
  bound: boolean,
): boolean {
  if (hidden === 'bound' && bound) return false
  if (hidden === 'service' && principal.kind === 'service') return false
  if (writes && principal.permissions?.every(({ access }) => access === 'read')) return false
  return scopesOf(operation.spec).some((scope) => scopes.includes(scope))
}
