export { newAccount, type AccountIds } from './account.ts'
export {
  defaultProject,
  forbidden,
  memberOfProject,
  permissionFor,
  permits,
  rolesSql,
  ROLES_THAT,
  type Right,
} from './access.ts'
export { projectEndpoints } from './projects/index.ts'
export { keyEndpoints } from './api-keys/index.ts'
export { userEndpoints } from './users/index.ts'
export type { Key } from './api-keys/key.ts'
export type { Project } from './projects/project.ts'
export type { User } from './users/user.ts'
export { invitationEndpoints } from './invitations/index.ts'
export { memberEndpoints } from './members/index.ts'
export { workspaceEndpoints } from './workspaces/index.ts'
export { auditEndpoints } from './audit-log/index.ts'
export { managesAny } from './access.ts'
export type { Member } from './members/member.ts'
export type { Workspace } from './workspaces/workspace.ts'
export type { Role } from './table.ts'
