import type { Principal } from '../core/context.ts'

/**
 * The principal at `/mcp/:project_id`: it may do in this project what it may do anyway, and nothing elsewhere. It is
 * limited as a key with permissions is, so every statement holds to it.
 */
export const withinProject = (principal: Principal, projectId: string): Principal => ({
  ...principal,
  defaultProjectId: projectId,
  permissions: principal.permissions?.filter((one) => one.project_id === projectId) ?? [
    { project_id: projectId, access: 'write' },
  ],
})
