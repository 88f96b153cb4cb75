import { z } from '@hono/zod-openapi'
import { apiResource, invalidToken, SUBPROTOCOL, subprotocols } from '../../auth/index.ts'
import { iso } from '../../core/values/clock.ts'
import type { AuthContext } from '../../core/context.ts'
import { endpoint, type HandlerInput, type EndpointSpec } from '../../core/http/endpoint.ts'
import { AppError, unavailable } from '../../core/errors.ts'
import type { Frame, SocketRequest } from '../../core/ports.ts'
import { portions } from '../../core/values/portions.ts'
import { newEphemeralId } from '../../hub/index.ts'
import { hintOnChannel } from '../catalog.ts'
import { toMessageText, type EventMessage } from '../event.ts'
import { missedEvents, type Missed } from './missed-events.ts'

const MAX_CHANNELS = 32
/** One call to a hub carries at most 32 MiB. */
const FRAMES_PER_CALL = 200
const MAX_CLIENT_ID_CHARACTERS = 128

/** The form of a client's name and of its last event id: short and printable. */
const shortText = (max: number) => z.string().regex(new RegExp(`^[\\x21-\\x7e]{1,${max}}$`))

export const ConnectQuery = z.strictObject({
  token: z
    .string()
    .optional()
    .meta({ description: 'Access token, session token or API key, unless it is in a header.' }),
  channels: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,63}(,[a-z][a-z0-9-]{0,63})*$/)
    .refine((list) => list.split(',').length <= MAX_CHANNELS, { message: `must have at most ${MAX_CHANNELS} channels` })
    .meta({ description: 'Channel names, separated by commas.', examples: ['memory,conversation'] }),
  client_id: shortText(MAX_CLIENT_ID_CHARACTERS)
    .optional()
    .meta({ description: 'Identifies this client: its next connection replaces this one.' }),
  last_event_id: shortText(64)
    .optional()
    .meta({ description: 'The last `id` that you received; the events missed since then follow the first frame.' }),
})

type Input = Pick<z.output<typeof ConnectQuery>, 'client_id' | 'last_event_id'> & { channels: readonly string[] }

/**
 * Opens a WebSocket in the user's hub. First come reservation and presence, then the history while the hub gathers live events,
 * then the upgrade. So no event is lost in between. 429 for one connection too many.
 */
export async function connect(
  ctx: AuthContext,
  input: Input,
  credential: Pick<SocketRequest, 'kind' | 'tokenHash'>,
): Promise<Response> {
  const hub = ctx.hub(ctx.principal.routingId)
  const connectionId = ctx.requestId
  const { client_id: clientId = null, channels } = input
  // Before the reservation: a client that gets the first frame alone resumes from this instant.
  const startedAt = ctx.now()
  const reserved = await hub.reserveSocket({ ...credential, connectionId, clientId, channels })
  if (reserved === 'refused') throw invalidToken(apiResource(ctx.client.origin), credential.kind)
  if (reserved === 'full') throw tooManySockets()
  try {
    const missed = input.last_event_id ? await missedEvents(ctx, channels, input.last_event_id) : null
    const history = missed?.events.map(toFrame) ?? []
    for (const frames of portions(history, FRAMES_PER_CALL)) await hub.addHistory(connectionId, frames)
    const first = await firstFrame(ctx, input, missed, startedAt)
    const response = await hub.openSocket(connectionId, JSON.stringify(first))
    if (response.webSocket) return response
    throw unavailable('The hub of this user', undefined, 1)
  } catch (error) {
    ctx.waitUntil(hub.releaseSocket(connectionId))
    throw error
  }
}

const tooManySockets = (): AppError =>
  new AppError('rate_limited', {
    detail: 'This user has reached the limit of open connections. Close one, or send a client_id.',
    headers: { 'Retry-After': '5' },
  })

/**
 * `system.status`, on every connection: the state of the resume (contract §5). Its id resumes from before the missed events, so
 * that a connection that breaks after this frame loses nothing.
 */
async function firstFrame(
  ctx: AuthContext,
  { channels, last_event_id: lastEventId }: Input,
  missed: Missed | null,
  startedAt: number,
): Promise<EventMessage> {
  // No refusal: a channel of the customer's own may have such a name, and nobody names types here.
  const hints = channels.map(hintOnChannel).filter((hint) => hint !== null)
  return {
    id: await newEphemeralId(ctx, ctx.principal.routingId, missed?.receivedUntil ?? startedAt),
    type: 'system.status',
    channel: 'system',
    timestamp: iso(ctx.now()),
    data: {
      state: 'connected',
      recovered: missed !== null,
      replayed: missed?.events.length ?? 0,
      last_event_id: lastEventId ?? null,
      ...(hints.length > 0 ? { hint: hints.join(' ') } : {}),
    },
  }
}

const toFrame = (row: Parameters<typeof toMessageText>[0]): Frame => ({
  id: row.id,
  text: toMessageText(row),
  connections: [],
})

const declaration = {
  method: 'get',
  tag: 'events',
  description:
    'Upgrades to a WebSocket that sends the events of the given channels as they happen, at least once. ' +
    'Send the token in a header, in `token`, or in `Sec-WebSocket-Protocol: recollect, bearer.<token>`.',
  upgrade: true,
  scope: 'read:events',
  scopeFor: (query) => (query.getAll('channels').join().split(',').includes('memory') ? 'read:memory' : null),
  limit: 'read',
  audit: 'events.connect',
  query: ConnectQuery,
  reply: { 101: null },
  errors: ['upgrade_required', 'rate_limited', 'dependency_unavailable'],
  example: { query: { channels: 'conversation,memory', client_id: 'support-desk' } },
} as const satisfies Omit<EndpointSpec, 'path' | 'operationId' | 'summary'>

async function upgrade({
  ctx,
  query,
  credential,
  request,
}: HandlerInput<typeof declaration & Pick<EndpointSpec, 'path' | 'operationId' | 'summary'>>) {
  const channels = [...new Set(query.channels.split(','))]
  const { webSocket } = await connect(ctx, { ...query, channels }, credential)
  const speaks = subprotocols(request).includes(SUBPROTOCOL)
  return new Response(null, {
    status: 101,
    webSocket,
    headers: speaks ? { 'Sec-WebSocket-Protocol': SUBPROTOCOL } : {},
  })
}

/** One operation at two addresses (contract §5). */
export const connectEndpoints = [
  { path: '/realtime', operationId: 'listenToEvents', summary: 'Listen to events over WebSocket' },
  {
    path: '/api/events/stream',
    operationId: 'listenToEventStream',
    summary: 'Listen to events over WebSocket, under /api',
  },
].map((one) => endpoint({ ...declaration, ...one }).handle(upgrade))
