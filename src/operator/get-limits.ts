import { endpoint } from '../core/http/endpoint.ts'
import { SAMPLE_IDS } from '../core/sample.ts'
import { LimitsSchema, readSubjectLimits, SAMPLE_LIMITS, SubjectParams } from './limits.ts'
import { findSubject } from './subject.ts'

export const getLimitsEndpoint = endpoint({
  method: 'get',
  path: '/v1/operator/limits/{subject}',
  operationId: 'getLimits',
  tag: 'operator',
  summary: 'Read the limits of the deployment, a tenant, a user or a key',
  description:
    'The most specific setting applies: of the key, the user, the tenant, the deployment, then its variables.',
  scope: null,
  auth: 'operator',
  limit: 'operator',
  audit: null,
  params: SubjectParams,
  reply: { 200: LimitsSchema },
  errors: ['dependency_unavailable'],
  example: { params: { subject: SAMPLE_IDS.key }, reply: SAMPLE_LIMITS },
}).handle(async ({ ctx, params }) => readSubjectLimits(ctx, await findSubject(ctx, params.subject)))
