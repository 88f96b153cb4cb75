import { z } from '@hono/zod-openapi'
import { idOf, timestamp } from '../../core/http/fields.ts'
import { CATALOG, CHANNEL_NAME, CUSTOM_TYPE, EVENT_TYPES, EventMessageSchema, type EventType } from '../catalog.ts'

export type Json = Record<string, unknown>

/** The keywords of JSON Schema that this service reads. Others may stand beside them. */
export interface Schema extends Json {
  type?: string
  description?: string
  examples?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
}

interface Example {
  headers?: Json
  payload: Json
}

export interface Message {
  name: string
  title?: string
  summary?: string
  contentType: 'application/json'
  tags?: { name: string }[]
  headers?: Schema
  payload: Schema
  examples?: Example[]
}

/** JSON Schema draft 7, on which AsyncAPI 2.6 builds. The document names the dialect, so `$schema` is left out. */
export function schemaOf(type: z.ZodType): Schema {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { target: 'draft-7', io: 'input', unrepresentable: 'any' })
  return schema as Schema
}

/** `message.new` → `messageNew`, because names of components hold no dots. */
const nameOf = (type: string): string => type.replaceAll(/[._](\w)/g, (_, letter: string) => letter.toUpperCase())

const eventSchema = (type: EventType): Schema =>
  schemaOf(
    EventMessageSchema.extend({
      type: z.literal(type),
      channel: z.literal(CATALOG[type].channel),
      data: CATALOG[type].data,
    }),
  )

/** An event as it is sent, with the example of the schema of its `data`. */
const eventExample = (type: string, channel: string, data: unknown): Json => ({
  id: 'evt_01K8E3Z4T7Q9V6N2M5B8C1D0FG',
  type,
  channel,
  timestamp: '2026-11-21T09:30:00.000Z',
  data,
})

const CustomEvent = EventMessageSchema.extend({
  type: z.string().regex(CUSTOM_TYPE),
  channel: z.string().regex(CHANNEL_NAME),
})

const SIGNATURE = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
const WebhookHeaders = z.object({
  'User-Agent': z.literal('Recollect-Webhook/1'),
  'Content-Type': z.literal('application/json'),
  'webhook-id': idOf('dlv').meta({ description: 'The delivery: the same for every attempt, retry and recovery.' }),
  'webhook-timestamp': z.string().meta({ description: 'The time of this attempt, in seconds since 1970.' }),
  'webhook-signature': z.string().meta({
    description:
      'Standard Webhooks: `v1,` and the base64 of HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}`; ' +
      'two of them, separated by a space, during the rotation of a secret.',
    examples: [SIGNATURE],
  }),
})

const WEBHOOK_HEADERS = {
  'User-Agent': 'Recollect-Webhook/1',
  'Content-Type': 'application/json',
  'webhook-id': 'dlv_01K8E3Z4T7Q9V6N2M5B8C1D0FG',
  'webhook-timestamp': '1795253400',
  'webhook-signature': SIGNATURE,
}
const WEBHOOK_BODY = {
  subscription_id: 'sub_01K8E3Z4T7Q9V6N2M5B8C1D0FG',
  events: [eventExample('message.new', 'conversation', { conversation_id: 'support-4711' })],
  timestamp: '2026-11-21T09:30:00.000Z',
}

const SCHEMAS = {
  ping: schemaOf(z.object({ type: z.literal('ping') })),
  pong: schemaOf(z.object({ type: z.literal('pong') })),
  ack: schemaOf(
    z.object({
      type: z.literal('ack'),
      received: z
        .int()
        .min(0)
        .meta({ description: 'How many messages with an `id` the client has handled on this connection.' }),
    }),
  ),
}

function builtInMessage(type: EventType): Message {
  const { channel, summary } = CATALOG[type]
  const payload = eventSchema(type)
  const example = eventExample(type, channel, payload.properties?.['data']?.examples?.[0])
  return {
    name: type,
    title: type,
    summary,
    contentType: 'application/json',
    tags: [{ name: channel }],
    payload,
    examples: [{ payload: example }],
  }
}

const SHIPPED = eventExample('order.shipped', 'orders', { order_id: '1042', carrier: 'DHL' })

/** The events, the other messages of a socket, and the webhook, each with its whole payload. */
export function eventMessages(): Record<string, Message> {
  const events = EVENT_TYPES.map((type) => [nameOf(type), builtInMessage(type)])
  return {
    ...Object.fromEntries(events),
    customEvent: {
      name: 'customEvent',
      title: 'An event of your own',
      summary: 'A `word.word` type on your own channel.',
      contentType: 'application/json',
      payload: schemaOf(CustomEvent),
      examples: [{ payload: SHIPPED }],
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
      examples: [{ headers: WEBHOOK_HEADERS, payload: WEBHOOK_BODY }],
    },
  }
}

/** The names of the components that are events, the customer's own included. */
export const EVENT_NAMES = [...EVENT_TYPES.map(nameOf), 'customEvent']

/** The schema of a message's payload. Generators name types by it. */
const schemaName = (message: string): string => message.charAt(0).toUpperCase() + message.slice(1)

const refToSchema = (message: string): { $ref: string } => ({ $ref: `#/components/schemas/${schemaName(message)}` })

const eventPayloads = (): Json[] => EVENT_NAMES.map(refToSchema)

/** A message of the document, which names the schema of its payload. */
type NamedMessage = Omit<Message, 'payload'> & { payload: { $ref: string } }

/** `components` of the document: the messages, and the schemas that they refer to. */
export function components(): { messages: Record<string, NamedMessage>; schemas: Record<string, Schema> } {
  const all = Object.entries(eventMessages())
  return {
    messages: Object.fromEntries(all.map(([name, message]) => [name, { ...message, payload: refToSchema(name) }])),
    schemas: Object.fromEntries(all.map(([name, { payload }]) => [schemaName(name), payload])),
  }
}
