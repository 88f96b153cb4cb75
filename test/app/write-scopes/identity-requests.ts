import { CANARY } from '../../support/canaries.ts'
import { NEVER, type Requests } from './requests.ts'

/** Of projects, workspaces, members, keys and the profile. */
export const IDENTITY_REQUESTS: Requests = {
  applyRetention: ({ owner }) => [
    { status: 403, params: { id: owner.projectId }, body: {} },
    { status: 403, params: { id: NEVER }, body: { dry_run: true } },
  ],
  createProject: ({ owner }, replays) => [
    { status: 201, body: { name: 'new', workspace_id: owner.workspaceId } },
    { status: 404, body: { name: 'new', workspace_id: NEVER } },
    { status: 422, body: { name: '', workspace_id: owner.workspaceId } },
    replays({
      status: 201,
      body: { name: 'told twice', workspace_id: owner.workspaceId },
      inBetween: (first) =>
        owner.send('PATCH', `/v1/projects/${first.body.id}`, {
          name: CANARY.projectName,
          description: CANARY.projectDescription,
        }),
    }),
  ],
  updateProject: ({ owner }) => [
    { status: 200, params: { id: owner.projectId }, body: {} },
    { status: 200, params: { id: owner.projectId }, body: { icon: 'new' } },
    { status: 422, params: { id: owner.projectId }, body: { name: '' } },
    { status: 404, params: { id: NEVER }, body: {} },
  ],
  deleteProject: ({ owner }) => [
    { status: 403, params: { id: owner.projectId }, byMember: true },
    { status: 204, params: { id: owner.projectId } },
    { status: 404, params: { id: owner.projectId } },
  ],
  createWorkspace: ({ owner }, replays) => [
    { status: 201, body: { name: 'new' } },
    { status: 422, body: {} },
    replays({
      status: 201,
      body: { name: 'told twice' },
      inBetween: (first) => owner.send('PATCH', `/v1/workspaces/${first.body.id}`, { name: CANARY.workspaceName }),
    }),
  ],
  updateWorkspace: ({ owner }) => [
    { status: 200, params: { id: owner.workspaceId }, body: {} },
    { status: 403, params: { id: owner.workspaceId }, body: {}, byMember: true },
    { status: 404, params: { id: NEVER }, body: {} },
  ],
  deleteWorkspace: ({ owner }) => [
    { status: 403, params: { id: owner.workspaceId }, byMember: true },
    { status: 204, params: { id: owner.workspaceId } },
    { status: 404, params: { id: owner.workspaceId } },
  ],
  updateMe: () => [
    { status: 200, body: {} },
    { status: 200, body: { settings: { theme: 'dark' } } },
    { status: 422, body: { settings: { language: '!' } } },
  ],
  inviteMember: ({ owner, member }, replays) => {
    const body = { email: 'new@example.com', role: 'editor' }
    return [
      { status: 202, params: { id: owner.workspaceId }, body },
      { status: 409, params: { id: owner.workspaceId }, body: { email: member.email, role: 'viewer' } },
      { status: 403, params: { id: owner.workspaceId }, body, byMember: true },
      replays({ status: 202, params: { id: owner.workspaceId }, body: { email: 'twice@example.com', role: 'editor' } }),
    ]
  },
  renewInvitation: ({ owner }) => [{ status: 404, params: { id: owner.workspaceId, invitation_id: NEVER } }],
  withdrawInvitation: ({ owner }) => [{ status: 404, params: { id: owner.workspaceId, invitation_id: NEVER } }],
  changeMemberRole: ({ owner, member }) => [
    { status: 200, params: { id: owner.workspaceId, user_id: member.userId }, body: { role: 'viewer' } },
    { status: 409, params: { id: owner.workspaceId, user_id: owner.userId }, body: { role: 'viewer' } },
    { status: 404, params: { id: owner.workspaceId, user_id: NEVER }, body: { role: 'viewer' } },
  ],
  removeMember: ({ owner, member }) => [
    { status: 204, params: { id: owner.workspaceId, user_id: member.userId } },
    { status: 404, params: { id: owner.workspaceId, user_id: member.userId } },
  ],
  createApiKey: (_, replays) => [
    { status: 403, body: { name: 'wider', scopes: ['read:memory'] } },
    {
      ...replays({ status: 409, body: { name: 'first', scopes: ['read:memory'] } }),
      body: { name: 'another', scopes: ['read:memory'] },
    },
  ],
  rotateApiKey: ({ owner }) => [
    { status: 403, params: { id: owner.keyId }, body: {} },
    { status: 404, params: { id: NEVER }, body: {} },
  ],
  revokeApiKey: ({ owner }) => [
    { status: 403, params: { id: owner.keyId } },
    { status: 404, params: { id: NEVER } },
  ],
}
