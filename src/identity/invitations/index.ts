import { listInvitationsEndpoint } from './list.ts'
import { withdrawInvitationEndpoint } from './withdraw.ts'

export { invitationSweep } from './expire.ts'

export const invitationEndpoints = [listInvitationsEndpoint, withdrawInvitationEndpoint]
