import { listInvitationsEndpoint } from './list.ts'
import { withdrawInvitationEndpoint } from './withdraw.ts'

export const invitationEndpoints = [listInvitationsEndpoint, withdrawInvitationEndpoint]
