import { z } from '@hono/zod-openapi'
import { endpoint } from '../core/endpoint.ts'
import { idOf, timestamp } from '../core/fields.ts'
import { CATALOG, CHANNEL_NAME, CUSTOM_TYPE, EVENT_TYPES, EventMessageSchema, type EventType } from './catalog.ts'
import { ConnectQuery } from './connect.ts'

type Json = Record<string, unknown>

/** JSON Schema draft 7, which AsyncAPI 2.6 builds on; the document itself says which dialect it is. */
function schemaOf(type: z.ZodType): Json {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { target: 'draft-7', io: 'input', unrepresentable: 'any' })
  return schema
}

const refTo = (kind: 'messages' | 'schemas', name: string): Json => ({ $ref: `#/components/${kind}/${name}` })

/** `message.new` → `messageNew`: names of components hold no dots. */
const nameOf = (type: string): string => type.replaceAll(/[._](\w)/g, (_, letter: string) => letter.toUpperCase())

const eventSchema = (type: EventType): Json =>
  schemaOf(
    EventMessageSchema.extend({
      type: z.literal(type),
      channel: z.literal(CATALOG[type].channel),
      data: CATALOG[type].data,
    }),
  )

const CustomEvent = EventMessageSchema.extend({
  type: z.string().regex(CUSTOM_TYPE),
  channel: z.string().regex(CHANNEL_NAME),
})

const WebhookHeaders = z.object({
  'User-Agent': z.literal('Recollect-Webhook/1'),
  'Content-Type': z.literal('application/json'),
  'webhook-id': idOf('dlv').meta({ description: 'The delivery: the same in every attempt, retry and recovery.' }),
  'webhook-timestamp': z.string().meta({ description: 'Of this attempt: seconds since 1970.' }),
  'webhook-signature': z.string().meta({
    description:
      'Standard Webhooks: `v1,` and the base64 of HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}`; ' +
      'two of them, separated by a space, while a secret is being rotated.',
    examples: ['v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='],
  }),
})

const SCHEMAS = {
  ping: schemaOf(z.object({ type: z.literal('ping') })),
  pong: schemaOf(z.object({ type: z.literal('pong') })),
  ack: schemaOf(
    z.object({
      type: z.literal('ack'),
      received: z.int().min(0).meta({ description: 'How many messages with an `id` this connection has dealt with.' }),
    }),
  ),
}

function messages(): Json {
  const events = EVENT_TYPES.map((type) => [
    nameOf(type),
    {
      name: type,
      title: type,
      summary: CATALOG[type].summary,
      contentType: 'application/json',
      tags: [{ name: CATALOG[type].channel }],
      payload: eventSchema(type),
    },
  ])
  return {
    ...Object.fromEntries(events),
    customEvent: {
      name: 'customEvent',
      title: 'An event of your own',
      summary: 'A `word.word` type on a channel of your own.',
      contentType: 'application/json',
      payload: schemaOf(CustomEvent),
    },
    ...Object.fromEntries(
      Object.entries(SCHEMAS).map(([name, payload]) => [name, { name, contentType: 'application/json', payload }]),
    ),
    webhook: {
      name: 'webhook',
      title: 'Webhook request',
      summary: 'Answer 2xx within 15 s; drop duplicates by the event id.',
      contentType: 'application/json',
      headers: schemaOf(WebhookHeaders),
      payload: {
        type: 'object',
        required: ['subscription_id', 'events', 'timestamp'],
        properties: {
          subscription_id: schemaOf(idOf('sub')),
          events: { type: 'array', minItems: 1, maxItems: 1, items: { anyOf: eventPayloads() } },
          timestamp: schemaOf(timestamp),
        },
      },
    },
  }
}

const EVENT_NAMES = [...EVENT_TYPES.map(nameOf), 'customEvent']

const eventPayloads = (): Json[] => EVENT_NAMES.map((name) => ({ $ref: `#/components/messages/${name}/payload` }))

const socketChannel = (operationId: string, summary: string): Json => ({
  description: summary,
  servers: ['realtime'],
  bindings: { ws: { method: 'GET', query: schemaOf(ConnectQuery), bindingVersion: '0.1.0' } },
  subscribe: {
    operationId: `${operationId}Receive`,
    summary: 'What the service sends: `system.status` first, then the events of the channels asked for.',
    message: { oneOf: [...EVENT_NAMES, 'pong'].map((name) => refTo('messages', name)) },
  },
  publish: {
    operationId: `${operationId}Send`,
    summary: 'What a client may send. Events are published by `POST /api/events/publish`.',
    message: { oneOf: ['ping', 'ack'].map((name) => refTo('messages', name)) },
  },
})

/** The AsyncAPI 2.6.0 document of events, from the same catalogue that validates them (contract §7). */
export function asyncApiDocument(origin: string): Json {
  const { host, protocol } = new URL(origin)
  const secure = protocol === 'https:'
  return {
    asyncapi: '2.6.0',
    id: 'urn:recollect:events',
    info: {
      title: 'Recollect events',
      version: '1.0.0',
      description:
        'Every event is `{id, type, channel, timestamp, data}`, over WebSocket and webhooks alike, at least once and in ' +
        'no promised order: drop duplicates by `id`. Clients ignore unknown fields and types.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: 'application/json',
    servers: {
      realtime: {
        url: host,
        protocol: secure ? 'wss' : 'ws',
        description:
          'The service. A connection needs the scope `read:events`; the channel `memory` also `read:memory`.',
        security: [{ queryToken: [] }, { bearer: [] }, { apiKey: [] }, { session: [] }],
      },
      receiver: {
        url: '{receiver}',
        protocol: 'https',
        description: 'Your own endpoint, as a subscription names it.',
        variables: { receiver: { default: 'example.com', description: 'Host and path of the webhook.' } },
      },
    },
    channels: {
      '/realtime': socketChannel('realtime', 'The WebSocket. Resume with `last_event_id`.'),
      '/api/events/stream': socketChannel('stream', 'The same WebSocket under its other path.'),
      webhook: {
        description: 'Signed requests to your endpoint, made for `POST /api/events/subscriptions`.',
        servers: ['receiver'],
        subscribe: {
          operationId: 'webhookReceive',
          bindings: { http: { type: 'request', method: 'POST', bindingVersion: '0.1.0' } },
          message: refTo('messages', 'webhook'),
        },
      },
    },
    components: {
      messages: messages(),
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

const documents = new Map<string, Json>()

export const asyncApiEndpoint = endpoint({
  method: 'get',
  path: '/api-reference/asyncapi.json',
  tag: 'service',
  summary: 'AsyncAPI document of the events',
  scope: null,
  auth: 'none',
  limit: null,
  audit: null,
  reply: { 200: z.looseObject({ asyncapi: z.literal('2.6.0') }).openapi('AsyncApiDocument') },
}).handle(({ ctx }) => {
  const { origin } = ctx.client
  let document = documents.get(origin)
  if (!document) {
    // One deployment has few origins; a made-up Host header must not fill the memory.
    if (documents.size >= 10) documents.clear()
    documents.set(origin, (document = asyncApiDocument(origin)))
  }
  return document
})
