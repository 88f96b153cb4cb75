import { endpoint } from '../../core/http/endpoint.ts'
import { IdParams } from '../../core/http/fields.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'
import { ProjectSchema, toProject, visibleProject, SAMPLE_PROJECT } from './project.ts'

export const getProjectEndpoint = endpoint({
  method: 'get',
  path: '/v1/projects/{id}',
  operationId: 'getProject',
  tag: 'projects',
  summary: 'Get a project',
  scope: 'read:projects',
  limit: 'read',
  audit: 'projects.get',
  params: IdParams,
  reply: { 200: ProjectSchema },
  errors: ['not_found'],
  example: { params: { id: SAMPLE_IDS.project }, reply: SAMPLE_PROJECT },
}).handle(async ({ ctx, params }) => {
  ctx.trail.resourceIds = [params.id]
  return toProject(ctx, await visibleProject(ctx, params.id))
})
