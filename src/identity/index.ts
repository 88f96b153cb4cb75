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
