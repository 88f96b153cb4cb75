import { addMemberEndpoint } from './add.ts'
import { changeRoleEndpoint } from './change-role.ts'
import { listMembersEndpoint } from './list.ts'
import { removeMemberEndpoint } from './remove.ts'

export const memberEndpoints = [listMembersEndpoint, addMemberEndpoint, changeRoleEndpoint, removeMemberEndpoint]
