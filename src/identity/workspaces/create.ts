import { z } from '@hono/zod-openapi'
import { auditStatement } from '../../audit/index.ts'
import type { AuthContext } from '../../core/context.ts'
import { endpoint, linksTo } from '../../core/http/endpoint.ts'
import { asNew } from '../../core/http/written.ts'
import { settleStatement } from '../../core/idempotency/settlement.ts'
import { forbidden } from '../access.ts'
import { newWorkspace } from './new-workspace.ts'
import {
  requireWholeWorkspace,
  toWorkspace,
  visibleWorkspace,
  workspaceName,
  WorkspaceOrWritten,
  SAMPLE_WORKSPACE,
} from './workspace.ts'
import type { Workspace } from './workspace.ts'

export const CreateWorkspace = z.strictObject({ name: workspaceName })

/** Makes a workspace with the caller as its owner. A service account owns nothing. */
export async function createWorkspace(ctx: AuthContext, input: z.output<typeof CreateWorkspace>): Promise<Workspace> {
  const { principal, db } = ctx
  requireWholeWorkspace(ctx)
  if (principal.kind === 'service') throw forbidden('Workspace keys cannot create workspaces.')
  const id = ctx.newId('wsp')
  const now = ctx.now()
  ctx.trail.resourceIds = [id]
  ctx.trail.workspaceId = id
  await db.batch([
    ...newWorkspace(db, { id, tenantId: principal.tenantId, name: input.name, ownerId: principal.userId, now }),
    auditStatement(ctx, 'workspaces.create'),
    settleStatement(ctx, id),
  ])
  return asNew(
    toWorkspace({
      id,
      name: input.name,
      role: 'owner',
      created_at: now,
      updated_at: now,
      created_by: principal.userId,
    }),
  )
}

export const createWorkspaceEndpoint = endpoint({
  method: 'post',
  path: '/v1/workspaces',
  operationId: 'createWorkspace',
  tag: 'workspaces',
  summary: 'Create a workspace',
  scope: 'write:projects',
  reads: 'read:projects',
  limit: 'write',
  audit: 'workspaces.create',
  body: CreateWorkspace,
  reply: { 201: WorkspaceOrWritten },
  links: [
    ...linksTo([
      'getWorkspace',
      'updateWorkspace',
      'deleteWorkspace',
      'listMembers',
      'inviteMember',
      'listInvitations',
    ]),
    ...linksTo(['listProjects'], { workspace_id: '$response.body#/id' }),
  ],
  errors: ['forbidden'],
  idempotent: {
    mode: 'claimed',
    replay: async (ctx, id) => toWorkspace(await visibleWorkspace(ctx, id)),
  },
  example: { body: { name: 'Research' }, reply: SAMPLE_WORKSPACE },
}).handle(({ ctx, body }) => createWorkspace(ctx, body))
