import { z } from '@hono/zod-openapi'
import { endpoint, PUBLIC_READ } from '../core/http/endpoint.ts'

export const healthEndpoint = endpoint({
  ...PUBLIC_READ,
  path: '/health',
  operationId: 'getHealth',
  summary: 'Is the service alive?',
  description: 'Responds without checking any dependency. For those, use `/ready`.',
  reply: { 200: z.object({ status: z.literal('ok') }).openapi('Health') },
  example: { reply: { status: 'ok' } },
}).handle(() => ({ status: 'ok' }))
