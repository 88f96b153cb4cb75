import { z } from '@hono/zod-openapi'
import { endpoint } from '../core/http/endpoint.ts'

export const healthEndpoint = endpoint({
  method: 'get',
  path: '/health',
  tag: 'service',
  summary: 'Is the service alive?',
  description: 'Answers without touching any dependency. For those, ask `/ready`.',
  scope: null,
  auth: 'none',
  limit: null,
  audit: null,
  reply: { 200: z.object({ status: z.literal('ok') }).openapi('Health') },
  example: { reply: { status: 'ok' } },
}).handle(() => ({ status: 'ok' }))
