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
