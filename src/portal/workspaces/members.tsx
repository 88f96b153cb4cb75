import type { FC } from 'hono/jsx'
import { Visible } from '../../auth/index.ts'
import type { Member } from '../../identity/index.ts'
import { Id } from '../components/id.tsx'
import { Badge } from '../components/elements.tsx'
import { PostForm } from '../components/fields.tsx'
import { Ask } from '../components/ask.tsx'
import { ActionButton } from '../components/forms.tsx'
import { Table } from '../components/table.tsx'
import type { PageContext } from '../page-context.ts'
import { ROLE_LABELS } from './roles.ts'

interface Props {
  ctx: PageContext
  workspaceId: string
  members: readonly Member[]
  manages: boolean
  owns: boolean
  /** The id of the owner of the tenant. */
  tenantOwner: string | null
}

export const MemberTable: FC<Props> = ({ ctx, workspaceId, members, manages, owns, tenantOwner }) => (
  <Table columns={['Name', 'Id', 'Role']} actions>
    {members.map((member) => (
      <tr>
        <td class="lead" data-label="Name">
          <span class="table-title">
            <Visible text={member.name} />
          </span>
          <span class="table-sub">{member.kind === 'service' ? 'Service account of its keys' : member.email}</span>
        </td>
        <td data-label="Id">
          <Id of={member.user_id} />
        </td>
        <td data-label="Role">
          {manages && member.kind === 'person' ? (
            <RoleForm ctx={ctx} workspaceId={workspaceId} member={member} />
          ) : (
            <Badge plain>{ROLE_LABELS[member.role].label}</Badge>
          )}
        </td>
        <td class="end">
          <Actions
            ctx={ctx}
            workspaceId={workspaceId}
            member={member}
            manages={manages}
            owns={owns}
            tenantOwner={tenantOwner}
          />
        </td>
      </tr>
    ))}
  </Table>
)

const RoleForm: FC<{ ctx: PageContext; workspaceId: string; member: Member }> = ({ ctx, workspaceId, member }) => (
  <PostForm ctx={ctx} action={`/portal/workspaces/${workspaceId}/members/${member.user_id}`} class="row row-tight">
    <label class="sr-only" for={`role-${member.user_id}`}>
      Role of {member.name}
    </label>
    <select class="select-small" id={`role-${member.user_id}`} name="role">
      {(['owner', 'admin', 'editor', 'viewer'] as const).map((role) => (
        <option value={role} selected={role === member.role}>
          {ROLE_LABELS[role].label}
        </option>
      ))}
    </select>
    <button class="button button-small" type="submit">
      Save<span class="sr-only"> the role of {member.name}</span>
    </button>
  </PostForm>
)

const Actions: FC<Omit<Props, 'members'> & { member: Member }> = ({ ctx, workspaceId, member, ...rights }) => {
  const { manages, owns, tenantOwner } = rights
  const self = member.user_id === ctx.me.id
  const resets = (owns || tenantOwner === ctx.me.id) && !self && member.user_id !== tenantOwner
  const path = `/portal/workspaces/${workspaceId}/members/${member.user_id}`
  if (member.kind === 'service' || !(manages || resets || self)) return null
  return (
    <span class="row">
      {resets && (
        <ActionButton ctx={ctx} action={`${path}/reset-link`} small>
          Reset password<span class="sr-only"> of {member.name}</span>
        </ActionButton>
      )}
      {(manages || self) && (
        <Ask
          ctx={ctx}
          action={`${path}/remove`}
          verb={self ? 'Leave' : 'Remove'}
          about={self ? 'this workspace' : <Visible text={member.name} />}
          small
          routine
        >
          <p>
            {self
              ? 'From your next request on, you, your keys and your apps cannot access its projects. What you stored stays. To come back, you need a new invitation.'
              : 'From their next request on, they, their keys and their apps cannot access the projects of this workspace. What they stored stays. To come back, they need a new invitation.'}
          </p>
        </Ask>
      )}
    </span>
  )
}
