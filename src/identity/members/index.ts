import { changeRoleEndpoint } from './change-role.ts'
import { listMembersEndpoint } from './list.ts'
import { removeMemberEndpoint } from './remove.ts'
import { makeResetLinkEndpoint } from './make-reset-link.ts'
import { resetPasswordEndpoint } from './reset-password.ts'

export const memberEndpoints = [
  listMembersEndpoint,
  changeRoleEndpoint,
  removeMemberEndpoint,
  makeResetLinkEndpoint,
  resetPasswordEndpoint,
]
