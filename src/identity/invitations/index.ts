import { acceptInvitationEndpoint } from './accept.ts'
import { inviteEndpoint } from './invite.ts'
import { listReceivedEndpoint } from './list-received.ts'
import { listInvitationsEndpoint } from './list.ts'
import { refuseInvitationEndpoint } from './refuse.ts'
import { renewInvitationEndpoint } from './renew.ts'
import { withdrawInvitationEndpoint } from './withdraw.ts'

export { invitationSweep } from './expire.ts'

export const invitationEndpoints = [
  inviteEndpoint,
  listInvitationsEndpoint,
  renewInvitationEndpoint,
  withdrawInvitationEndpoint,
  listReceivedEndpoint,
  acceptInvitationEndpoint,
  refuseInvitationEndpoint,
]
