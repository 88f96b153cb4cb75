import type { FC } from 'hono/jsx'
import { Visible } from '../../auth/index.ts'
import { invalid, type AppError } from '../../core/errors.ts'
import { FIRST_WORKSPACE_NAME, type InvitationWithLink, type Project, type Workspace } from '../../identity/index.ts'
import { Card, Notice } from '../components/elements.tsx'
import { Field, PostForm, Select } from '../components/fields.tsx'
import { attempt, errorAt, type Result } from '../form.ts'
import type { PageContext } from '../page-context.ts'
import { ROLE_OPTIONS } from './roles.ts'

/** Projects that the form names. */
const MAX_NAMED = 5

/** Whether a workspace has the name of a sign-up, which fits one person alone. */
export const isUnnamed = ({ name }: Pick<Workspace, 'name'>): boolean => name === FIRST_WORKSPACE_NAME

/**
 * Invites a person. A workspace without a name of its own gets one first, since the invitation shows it. One that has got a name
 * since the form was opened keeps it.
 */
export async function invite(ctx: PageContext, path: string): Promise<Result<InvitationWithLink>> {
  const { form } = ctx
  if (isUnnamed(await ctx.api.get<Workspace>(path))) {
    const name = form.text('workspace_name')
    if (name === '' || isUnnamed({ name }))
      return { ok: false, error: invalid('workspace_name', 'required', OTHER_NAME) }
    const renamed = await attempt(ctx.api.patch(path, { name }))
    if (!renamed.ok) return renamed
  }
  const body = { email: form.text('email'), role: form.text('role') }
  return attempt(ctx.api.post<InvitationWithLink>(`${path}/members`, body))
}

const OTHER_NAME = 'Others will see this name. Choose one that says what the workspace is for.'

interface InviteProps {
  ctx: PageContext
  workspace: Workspace
  projects: readonly Project[]
  error: AppError | null
}

export const Invite: FC<InviteProps> = ({ ctx, workspace, projects, error }) => (
  <Card title="Invite a member" lead="They become a member when they accept.">
    <div class="card-body">
      {error && ctx.form.has('workspace_name') && !isUnnamed(workspace) && (
        <Notice tone="ok">
          The workspace is now called “<Visible text={workspace.name} />
          ”. The invitation was not sent.
        </Notice>
      )}
      <PostForm ctx={ctx} action={`/portal/workspaces/${workspace.id}/members`} class="form-inline" error={error}>
        {isUnnamed(workspace) && (
          <Field
            name="workspace_name"
            label="Name of the workspace"
            required
            maxlength={120}
            placeholder="Support team"
            value={error ? ctx.form.text('workspace_name') : ''}
            error={errorAt(error, 'workspace_name') ?? errorAt(error, 'name')}
            errorPath="name"
          />
        )}
        <Field
          name="email"
          type="email"
          label="E-mail address"
          required
          value={error ? ctx.form.text('email') : ''}
          error={errorAt(error, 'email')}
        />
        <Select
          name="role"
          label="Role"
          options={ROLE_OPTIONS}
          value={ctx.form.text('role') || 'editor'}
          error={errorAt(error, 'role')}
        />
        <button class="button button-primary" type="submit">
          Invite
        </button>
      </PostForm>
      <WhatTheySee projects={projects} />
    </div>
  </Card>
)

/** What an invitation opens, before it is sent. */
const WhatTheySee: FC<{ projects: readonly Project[] }> = ({ projects }) => {
  const more = projects.length - MAX_NAMED
  return (
    <div class="small muted">
      <p>The invitation shows your name and the name of the workspace. A member sees:</p>
      <ul class="bullets">
        <li>
          {projects.length === 0 ? (
            'its projects (none yet) and their memories'
          ) : (
            <>
              {projects.length === 1 ? 'its project ' : `its ${projects.length} projects, `}
              {projects.slice(0, MAX_NAMED).map(({ name }, at) => (
                <>
                  {at > 0 && ', '}
                  <Visible text={name} />
                </>
              ))}
              {more > 0 && ` and ${more} more`}, with all memories that are not private
            </>
          )}
          ;
        </li>
        <li>the names and e-mail addresses of its members;</li>
        <li>private memories only as an admin or owner.</li>
      </ul>
      <p>They do not see your other workspaces.</p>
    </div>
  )
}
