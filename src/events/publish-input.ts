import { z } from '@hono/zod-openapi'
import { apiResource, insufficientScope } from '../auth/index.ts'
import { NOTIFICATION_CODES } from '../core/notification-codes.ts'
import type { AuthContext } from '../core/context.ts'
import { invalid, notFound } from '../core/errors.ts'
import { anyId } from '../core/http/fields.ts'
import { defaultProject, forbidden, permissionFor, permits } from '../identity/index.ts'
import {
  CATALOG,
  channelName,
  channelOf,
  hintOn,
  MAX_DATA_BYTES,
  targetIds,
  travelsOn,
  typeName,
  type EventType,
} from './catalog.ts'
import { withTypingExpiry } from './typing.ts'

const EventData = z
  .record(z.string(), z.unknown())
  .refine((data) => new TextEncoder().encode(JSON.stringify(data)).byteLength <= MAX_DATA_BYTES, {
    message: 'must be at most 32 KiB of JSON',
    params: { code: 'too_large' },
  })

export const Publish = z
  .strictObject({
    type: typeName,
    channel: channelName.optional(),
    data: EventData,
    workspace_id: anyId.optional(),
    project_id: anyId.optional(),
    targets: targetIds.optional(),
  })
  .openapi('PublishEvent')
export type PublishInput = z.output<typeof Publish>

/** The scope of an event: a project or a whole workspace. */
export interface Destination {
  projectId: string | null
  workspaceId: string | null
}

/** The channel of the type; 422 where the caller names another, 403 where the caller may not publish on it. */
export function channelFor(ctx: AuthContext, { type, channel: named }: PublishInput): string {
  const channel = named ?? channelOf(type)
  if (channel === undefined) throw invalid('channel', 'required', `Your own event types need a channel.${hintOn(type)}`)
  if (!travelsOn(type, channel)) {
    throw invalid(
      'channel',
      'wrong_channel',
      `The type ${type} does not belong to the channel ${channel}.${hintOn(type)}`,
    )
  }
  if (channel === 'memory') throw forbidden('Only the service publishes memory events.')
  if (channel === 'system' && !ctx.principal.scopes.includes('admin:workspace')) {
    const called = apiResource(ctx.client.origin)
    throw insufficientScope(called, ['admin:workspace'], 'System events need the scope admin:workspace.')
  }
  return channel
}

/** The named project or workspace, else the default project. The limits of the credential are checked here. */
export function destination({ principal }: AuthContext, input: PublishInput): Destination {
  const projectId = input.project_id ?? (input.workspace_id === undefined ? defaultProject(principal) : null)
  if (projectId === null) {
    if (principal.permissions !== null)
      throw forbidden('A key that is limited to projects can publish only in projects.')
  } else if (!permits(principal, projectId, 'write', factsIn(input.data).namespace ?? undefined)) {
    throw permissionFor(principal, projectId)
      ? forbidden('This key cannot write to this project or namespace.')
      : notFound('project', projectId)
  }
  return { projectId, workspaceId: input.workspace_id ?? null }
}

/** Only the service tells the state of a connection: clients act upon it (contract §5). */
const OWN_STATES = new Set<unknown>(['connected', 'closing'])
const OWN_CODES = new Set<unknown>(NOTIFICATION_CODES)

/** The data, checked against the schema of its type, with the members that the service sets. */
export function dataOf(ctx: AuthContext, { type, data }: PublishInput): Record<string, unknown> {
  const whole = channelOf(type) === 'system' ? systemData(ctx, type, data) : data
  return checked(type, withTypingExpiry(type, whole, ctx.now()))
}

/** What a user publishes on the channel `system` names its sender, and takes neither a state nor a code of the service. */
function systemData({ principal }: AuthContext, type: string, data: Record<string, unknown>): Record<string, unknown> {
  const { state, code } = data
  if (type === 'system.status' && OWN_STATES.has(state)) {
    throw invalid('data.state', 'reserved', 'Only the service can send the state of a connection.')
  }
  if (typeof code === 'string' && OWN_CODES.has(code.trim().toLowerCase())) {
    throw invalid('data.code', 'reserved', 'Only the service can send this code.')
  }
  if ('sender' in data) throw invalid('data.sender', 'reserved', 'Only the service can set the sender.')
  return { ...data, sender: principal.userId }
}

function checked(type: string, whole: Record<string, unknown>): Record<string, unknown> {
  const own = channelOf(type) === undefined ? null : CATALOG[type as EventType].data.safeParse(whole)
  if (own && !own.success) {
    const [issue] = own.error.issues
    throw invalid(`data.${issue?.path.join('.') ?? ''}`, 'invalid_data', `${type}: ${issue?.message ?? 'invalid data'}`)
  }
  return whole
}

/** The members of `data` that filters read. */
export function factsIn(
  data: Record<string, unknown>,
): Record<'conversationId' | 'namespace' | 'scope', string | null> {
  const stringAt = (key: string): string | null => {
    const value = data[key]
    return typeof value === 'string' ? value : null
  }
  return { conversationId: stringAt('conversation_id'), namespace: stringAt('namespace'), scope: stringAt('scope') }
}
