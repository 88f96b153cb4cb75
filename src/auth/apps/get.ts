import type { AuthContext } from '../../core/context.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { IdParams } from '../../core/http/fields.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'
import { AppSchema, ownApp, toApp, type App, SAMPLE_APP } from './app.ts'

/** One application of the caller's; 404 for every other id. */
export async function getApp(ctx: AuthContext, id: string): Promise<App> {
  ctx.trail.resourceIds = [id]
  return toApp(await ownApp(ctx, id))
}

export const getAppEndpoint = endpoint({
  method: 'get',
  path: '/v1/apps/{id}',
  operationId: 'getApp',
  tag: 'apps',
  summary: 'Get an OAuth application',
  auth: 'session',
  scope: null,
  limit: 'read',
  audit: 'apps.get',
  params: IdParams,
  reply: { 200: AppSchema },
  errors: ['not_found'],
  example: { params: { id: SAMPLE_IDS.app }, reply: SAMPLE_APP },
}).handle(({ ctx, params }) => getApp(ctx, params.id))
