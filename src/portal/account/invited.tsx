import type { FC } from 'hono/jsx'
import { Visible } from '../../auth/index.ts'
import type { ShownInvitation } from '../../identity/index.ts'
import { Notice } from '../components/elements.tsx'
import { ROLE_LABELS } from '../workspaces/roles.ts'

/** Who invites to what. A link that cannot be accepted says so before anybody fills in the form. */
export const Invited: FC<{ invited: ShownInvitation | null }> = ({ invited }) =>
  invited === null ? (
    <Notice tone="warn">
      This invitation was used, replaced or withdrawn, or it has expired. Ask the person who sent it for a new link.
    </Notice>
  ) : invited.isFull ? (
    <Notice tone="warn" title="The workspace is full">
      <Visible text={invited.workspaceName} /> has as many members as a workspace can have. Ask{' '}
      <Visible text={invited.invitedBy} />, who invited you, to make room. Then open this link again.
    </Notice>
  ) : (
    <p>
      <Visible text={invited.invitedBy} /> invites you to the workspace{' '}
      <strong>
        <Visible text={invited.workspaceName} />
      </strong>{' '}
      as {ROLE_LABELS[invited.role].label.toLowerCase()}. Its members can then see your name and e-mail address.
    </p>
  )
