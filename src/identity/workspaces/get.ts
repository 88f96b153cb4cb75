import { endpoint } from '../../core/http/endpoint.ts'
import { IdParams } from '../../core/http/fields.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'
import { toWorkspace, visibleWorkspace, WorkspaceSchema, SAMPLE_WORKSPACE } from './workspace.ts'

export const getWorkspaceEndpoint = endpoint({
  method: 'get',
  path: '/v1/workspaces/{id}',
  operationId: 'getWorkspace',
  tag: 'workspaces',
  summary: 'Get a workspace',
  scope: 'read:projects',
  limit: 'read',
  audit: 'workspaces.get',
  params: IdParams,
  reply: { 200: WorkspaceSchema },
  errors: ['not_found'],
  example: { params: { id: SAMPLE_IDS.workspace }, reply: SAMPLE_WORKSPACE },
}).handle(async ({ ctx, params }) => {
  ctx.trail.resourceIds = [params.id]
  return toWorkspace(await visibleWorkspace(ctx, params.id))
})
