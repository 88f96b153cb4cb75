import { z } from '@hono/zod-openapi'
import { endpoint, PUBLIC_READ } from '../../core/http/endpoint.ts'
import { publicDocument } from '../../core/http/public-document.ts'
import { VERSION } from '../../core/version.ts'
import { components, EVENT_NAMES, schemaOf, type Json } from './messages.ts'
import { CHANNELS, type Channel } from '../catalog.ts'
import { ConnectQuery } from '../sockets/connect.ts'

const refTo = (name: string): Json => ({ $ref: `#/components/messages/${name}` })

/** The publisher and the scopes of each channel (contract §5). */
const CHANNEL_GUIDE: Record<Channel, string> = {
  conversation: 'Published with the scope `write:events`. Every event names its `data.conversation_id`.',
  memory:
    'Published only by the service, to those who can retrieve the item. Listening also needs `read:memory`. The text of the item is never included.',
  offering: 'Published with the scope `write:events`.',
  system: 'Published with the scope `admin:workspace`, and by the service.',
}

const socketChannel = (operationId: string, summary: string) => ({
  description: summary,
  servers: ['realtime'],
  bindings: { ws: { method: 'GET', query: schemaOf(ConnectQuery), bindingVersion: '0.1.0' } },
  subscribe: {
    operationId: `${operationId}Receive`,
    summary: 'What the service sends: first `system.status`, then the events of the requested channels.',
    message: { oneOf: [...EVENT_NAMES, 'pong'].map(refTo) },
  },
  publish: {
    operationId: `${operationId}Send`,
    summary: 'What a client can send. To publish events, use `POST /api/events/publish`.',
    message: { oneOf: ['ping', 'ack'].map(refTo) },
  },
})

/** The AsyncAPI 2.6.0 document of events, made from the catalogue that validates them (contract §7). */
export function asyncApiDocument(origin: string) {
  const { host, protocol } = new URL(origin)
  const secure = protocol === 'https:'
  return {
    asyncapi: '2.6.0',
    id: 'urn:recollect:events',
    info: {
      title: 'Recollect events',
      version: VERSION,
      description:
        'Every event is `{id, type, channel, timestamp, data}`, both over WebSocket and webhooks. Delivery is at least once and in ' +
        'no guaranteed order: drop duplicates by `id`. Clients must ignore unknown fields and types.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: 'application/json',
    tags: CHANNELS.map((name) => ({ name, description: CHANNEL_GUIDE[name] })),
    servers: {
      realtime: {
        url: host,
        protocol: secure ? 'wss' : 'ws',
        description:
          'The service. A connection needs the scope `read:events`; the channel `memory` also needs `read:memory`.',
        security: [{ queryToken: [] }, { bearer: [] }, { apiKey: [] }, { session: [] }],
      },
      receiver: {
        url: '{receiver}',
        protocol: 'https',
        description: 'Your own endpoint, from the subscription.',
        variables: { receiver: { default: 'example.com', description: 'Host and path of the webhook.' } },
      },
    },
    channels: {
      '/realtime': socketChannel('realtime', 'The WebSocket. Resume with `last_event_id`.'),
      '/api/events/stream': socketChannel('stream', 'The same WebSocket at its other path.'),
      webhook: {
        description: 'Signed requests to your endpoint, for subscriptions created by `POST /api/events/subscriptions`.',
        servers: ['receiver'],
        subscribe: {
          operationId: 'webhookReceive',
          // Of this version, because AsyncAPI 3 takes no older one.
          bindings: { http: { method: 'POST', bindingVersion: '0.2.0' } },
          message: refTo('webhook'),
        },
      },
    },
    components: {
      ...components(),
      securitySchemes: {
        queryToken: {
          type: 'httpApiKey',
          in: 'query',
          name: 'token',
          description: 'Access token, session token or API key, for clients that cannot set headers.',
        },
        bearer: { type: 'http', scheme: 'bearer', description: 'OAuth 2.1 access token.' },
        apiKey: { type: 'httpApiKey', in: 'header', name: 'X-API-Key' },
        session: { type: 'httpApiKey', in: 'header', name: 'X-Session-Token' },
      },
    },
  }
}

export const asyncApiEndpoint = endpoint({
  ...PUBLIC_READ,
  path: '/api-reference/asyncapi.json',
  operationId: 'getAsyncApiDocument',
  summary: 'AsyncAPI document of the events',
  reply: { 200: z.looseObject({ asyncapi: z.literal('2.6.0') }).openapi('AsyncApiDocument'), 304: null },
  example: {
    reply: {
      asyncapi: '2.6.0',
      info: { title: 'Recollect events', version: VERSION },
      channels: { '/realtime': {}, webhook: {} },
    },
  },
}).handle(publicDocument('application/json', (origin) => JSON.stringify(asyncApiDocument(origin))))
