import { z } from '@hono/zod-openapi'
import { NOTIFICATION_CODES } from '../core/notification-codes.ts'
import { anyId, idOf, name, timestamp } from '../core/http/fields.ts'
import { didYouMean, nearName } from '../core/values/near-name.ts'

/** The largest `data` of an event, in bytes of JSON (contract §5). */
export const MAX_DATA_BYTES = 32 * 1024

export const CHANNELS = ['conversation', 'memory', 'offering', 'system'] as const
export type Channel = (typeof CHANNELS)[number]

interface EventKind {
  channel: Channel
  summary: string
  /** The least that `data` holds, with an example. Publishers may add members. */
  data: z.ZodObject
}

const ConversationData = z.looseObject({ conversation_id: name(128) })
const OfferingData = z.looseObject({})
const SystemData = z.looseObject({
  code: z.string().optional(),
  message: z.string().optional(),
  sender: idOf('usr')
    .optional()
    .meta({ description: 'Set by the service: the user who published the event. Absent from events of the service.' }),
})
const NotificationData = SystemData.extend({
  code: z
    .string()
    .optional()
    .meta({ description: `Only the service sends ${NOTIFICATION_CODES.map((code) => `\`${code}\``).join(', ')}.` }),
  reason: z
    .string()
    .optional()
    .meta({ description: 'With `subscription.disabled`: `gone`, `failing` or `credential_ended`.' }),
  subscription_id: idOf('sub').optional(),
  key_id: idOf('key').optional(),
  invitation_id: idOf('inv').optional(),
  workspace_id: idOf('wsp').nullable().optional(),
  session_id: idOf('ses').optional(),
  user_id: idOf('usr')
    .optional()
    .meta({ description: 'With `invitation.accepted` and `invitation.refused`: who answered.' }),
  made_by: idOf('usr').optional().meta({ description: 'With `reset_link.created`: who created the link.' }),
  expires_at: timestamp.optional().meta({ description: 'With `reset_link.created`: when the link expires.' }),
})
const StatusData = SystemData.extend({
  state: z
    .string()
    .optional()
    .meta({
      description:
        '`connected` in the first frame of a socket, with `recovered`, `replayed` and `last_event_id`. ' +
        '`closing` in the last frame before the service closes the socket, with `code` and `reason`. ' +
        'Only the service sends these two states.',
    }),
  recovered: z.boolean().optional().meta({ description: 'Whether all missed events follow; otherwise none do.' }),
  replayed: z.int().min(0).optional().meta({ description: 'Number of missed events that follow immediately.' }),
  last_event_id: z.string().nullable().optional().meta({ description: 'The `last_event_id` that the client sent.' }),
  hint: z
    .string()
    .optional()
    .meta({ description: 'With `connected`: the channel that a misspelt one probably means.' }),
  code: z
    .union([z.string(), z.int()])
    .optional()
    .meta({ description: 'With `closing`: the numeric close code of the WebSocket.' }),
  reason: z.string().optional().meta({ description: 'With `closing`: the reason for the close.' }),
})
const TypingStartData = ConversationData.extend({
  expires_at: timestamp.meta({
    description: 'Set by the service to 10 s after the event: from then on, typing counts as stopped.',
  }),
})
const MemoryData = z.object({
  memory_id: idOf('mem'),
  project_id: idOf('prj'),
  namespace: z.string(),
  scope: z.string(),
  kind: z.enum(['note', 'turn']).meta({ description: 'A `turn` is a message of a conversation.' }),
  conversation_id: z.string().optional(),
  occurred_at: timestamp.optional(),
  version: z.int().meta({ description: 'Shows which of two events of one item is newer.' }),
  actor: z.string().meta({ description: 'A user id, or `system`.' }),
  reason: z
    .string()
    .optional()
    .meta({ description: 'The cause if the item was not deleted by a request: `expired` or `erased`.' }),
  change: z
    .enum(['retired', 'restored'])
    .optional()
    .meta({ description: 'Only on `memory.updated`, if the item was retired or became current again.' }),
  superseded_by: idOf('mem').optional().meta({ description: 'With `change: retired`: the item that supersedes it.' }),
})

const kind =
  (channel: Channel, data: z.ZodObject, example: object) =>
  (summary: string, more: object = {}, own: z.ZodObject = data): EventKind => ({
    channel,
    summary,
    data: own.meta({ examples: [{ ...example, ...more }] }),
  })
const conversation = kind('conversation', ConversationData, { conversation_id: 'support-4711' })
const memory = kind('memory', MemoryData, {
  memory_id: 'mem_01K8E3Z4T7Q9V6N2M5B8C1D0FG',
  project_id: 'prj_01K8E3Z4T7Q9V6N2M5B8C1D0FG',
  namespace: 'default',
  scope: 'project',
  kind: 'note',
  version: 1,
  actor: 'usr_01K8E3Z4T7Q9V6N2M5B8C1D0FG',
})
const offering = kind('offering', OfferingData, { offering_id: 'crm-connector' })
const system = kind('system', SystemData, {})

/** Every built-in type. Validation, AsyncAPI and the documentation read this list (contract §5). */
export const CATALOG = {
  'message.new': conversation('A message was added to a conversation.', { text: 'When is the office closed?' }),
  'message.updated': conversation('A message was changed.', { text: 'When does the office open?' }),
  'conversation.created': conversation('A conversation began.'),
  'conversation.updated': conversation('A conversation was changed.'),
  'typing.start': conversation(
    'Someone is typing. Ephemeral: no history, no retry.',
    { expires_at: '2026-11-21T09:30:10.000Z' },
    TypingStartData,
  ),
  'typing.stop': conversation('Someone stopped typing. Ephemeral: no history, no retry.'),
  'memory.created': memory('An item was stored.'),
  'memory.updated': memory('An item was changed.', { version: 2 }),
  'memory.deleted': memory('An item was deleted or expired.', { actor: 'system', reason: 'expired' }),
  'memory.embedding_complete': memory('Semantic search finds the item from now on.', { actor: 'system' }),
  'offering.installed': offering('An offering was installed.'),
  'offering.uninstalled': offering('An offering was removed.'),
  'offering.updated': offering('An offering was changed.'),
  'offering.status_change': offering('An offering changed its status.', { status: 'active' }),
  'system.notification': system(
    'A notice to the user.',
    { code: 'subscription.disabled', reason: 'gone', subscription_id: 'sub_01K8E3Z4T7Q9V6N2M5B8C1D0FG' },
    NotificationData,
  ),
  'system.status': system(
    'The state of a connection, or of the service.',
    { state: 'connected', recovered: true, replayed: 2, last_event_id: 'evt_01K8E3Z4T7Q9V6N2M5B8C1D0FG' },
    StatusData,
  ),
  'system.maintenance': system('Planned maintenance.', { message: 'Read-only on Sunday from 02:00 to 02:20 UTC.' }),
} as const satisfies Record<string, EventKind>

export type EventType = keyof typeof CATALOG
export const EVENT_TYPES = Object.keys(CATALOG) as EventType[]

/** Types and channels of the customer's own (contract §5). */
export const CUSTOM_TYPE = /^[a-z][a-z0-9_]{0,63}\.[a-z][a-z0-9_]{0,63}$/
export const CHANNEL_NAME = /^[a-z][a-z0-9-]{0,63}$/

/** The channel of a built-in type; undefined for a type of the customer's own. */
export const channelOf = (type: string): Channel | undefined =>
  Object.hasOwn(CATALOG, type) ? CATALOG[type as EventType].channel : undefined

export const isBuiltInChannel = (channel: string): channel is Channel => CHANNELS.some((name) => name === channel)

/** Whether a type may travel on a channel. A built-in channel carries its own types alone, and they travel on no other. */
export const travelsOn = (type: string, channel: string): boolean => {
  const own = channelOf(type)
  return own === undefined ? !isBuiltInChannel(channel) && CUSTOM_TYPE.test(type) : own === channel
}

/** Which channel a type belongs to, or which type a misspelt one most likely means. */
export function hintOn(type: string): string {
  const channel = channelOf(type)
  return channel === undefined ? didYouMean(type, EVENT_TYPES) : ` Its channel is "${channel}".`
}

/** Which built-in channel a name which is none most likely means, in two sentences; null where it is near to none. */
export function hintOnChannel(channel: string): string | null {
  const meant = isBuiltInChannel(channel) ? null : nearName(channel, CHANNELS)
  return meant && `No built-in channel is called ${channel}. Did you mean "${meant}"?`
}

/** The keys of a subscription's filters (contract §5). */
export const FILTER_KEYS = ['conversation_id', 'project_id', 'workspace_id', 'namespace', 'scope'] as const
export type FilterKey = (typeof FILTER_KEYS)[number]

/** The message of contract §5, everywhere the same. */
export const EventMessageSchema = z
  .object({
    id: idOf('evt'),
    type: z.string().meta({ examples: ['message.new'] }),
    channel: z.string().meta({ examples: ['conversation'] }),
    timestamp,
    data: z.record(z.string(), z.unknown()),
  })
  .openapi('Event')

export const channelName = z.string().regex(CHANNEL_NAME, {
  error: ({ input }) =>
    `A channel must be a lower-case name of at most 64 letters, digits and dashes.${didYouMean(String(input), CHANNELS)}`,
})
export const typeName = z
  .string()
  .max(129)
  .refine((type) => channelOf(type) !== undefined || CUSTOM_TYPE.test(type), {
    error: ({ input }) =>
      `A type must be one from the catalogue or a name of your own, such as \`order.shipped\`.${didYouMean(String(input), EVENT_TYPES)}`,
    params: { code: 'unknown_type' },
  })
  .meta({ pattern: CUSTOM_TYPE.source })

export const targetIds = z.array(anyId).min(1).max(1_000)
