import type { AuthContext } from '../../core/context.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { sha256 } from '../../core/values/hash.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'
import { targetProject } from '../access.ts'
import { DEFAULT_NAMESPACE } from '../item.ts'
import { ITEM_REFUSALS } from '../refusals.ts'
import { warned } from '../warnings.ts'
import { cutText } from './cut-text.ts'
import type { Incoming } from './decide.ts'
import { guardIngest } from './ingest-guard.ts'
import { IngestRun, type PartResult } from './ingest-run.ts'
import {
  IngestBody,
  IngestReportSchema,
  type IngestInput,
  type IngestReport,
  type MessageReport,
  type SkipReason,
} from './ingest-schema.ts'
import { textOfMessage, type Message } from './message.ts'
import { turnKey } from './turn.ts'

/** A permit admits this many messages (contract §6). */
const MESSAGES_A_PERMIT = 20

/**
 * Stores the messages of a conversation, each as one item or, where it is long, as several. What the conversation has already
 * is not stored again. 409 for an id that a turn has which the caller may not read, 422 for a secret that is refused.
 */
export async function ingest(ctx: AuthContext, input: IngestInput): Promise<IngestReport> {
  const { conversation_id, messages, context, mode, roles } = input
  const target = targetProject(ctx, context?.project_id)
  const { projectId } = target
  ctx.trail.projectId = projectId
  const read = messages.map(textOfMessage)
  const skipped = messages.map(({ role }, index): SkipReason | null => {
    if (!roles.includes(role)) return 'role'
    return read[index]?.text === '' ? 'no_text' : null
  })
  const wanted = read.map(({ text }, index) => (skipped[index] === null ? text : null))
  const { shared, texts, warnings } = await guardIngest(ctx, input, wanted)
  const incoming = oncePerId(
    await Promise.all(
      messages.flatMap((message, index) =>
        skipped[index] === null ? [toIncoming(message, { index, text: texts[index] ?? '' })] : [],
      ),
    ),
  )
  const { ttl, visibility, permissions } = input
  const run = new IngestRun(
    ctx,
    { target, namespace: context?.namespace ?? DEFAULT_NAMESPACE, conversationId: conversation_id },
    {
      mode,
      incoming,
      shared: {
        ...shared,
        context: { scope: 'conversation', ...shared.context, project_id: projectId, conversation_id },
        ...(ttl === undefined ? {} : { ttl }),
        ...(visibility === undefined ? {} : { visibility }),
        ...(permissions === undefined ? {} : { permissions }),
      },
    },
  )
  await run.run()
  const reports = messages.map((message, index): MessageReport => {
    const leftOut = read[index]?.leftOut ?? []
    const reason = skipped[index] ?? null
    return {
      ...(reason === null
        ? reportOf(run, incomingOf(incoming, message, index))
        : { ids: [], status: 'skipped', reason }),
      ...(message.id == null ? {} : { message_id: message.id }),
      ...(leftOut.length === 0 ? {} : { left_out: leftOut }),
    }
  })
  ctx.trail.resourceIds = reports.flatMap(({ ids }) => ids)
  // The rows of what was written stand in its commits.
  ctx.trail.committed = run.hasWritten
  return { conversation_id, messages: reports, ...warned(warnings) }
}

async function toIncoming(
  { id = null, role, name = null, timestamp = null }: Message,
  { index, text }: { index: number; text: string },
): Promise<Incoming> {
  const parts = cutText(text)
  const hashes = await Promise.all(parts.map(sha256))
  const own = { index, role, speaker: name, messageId: id, timestamp, parts, hashes }
  if (id === null && timestamp === null) return { ...own, keys: [] }
  const keyOf = (of: string, part: number): Promise<string> =>
    turnKey({ role, speaker: name, messageId: id, part }, { occurredAt: timestamp, text: of, newKey: () => '' })
  if (id !== null) return { ...own, keys: [{ key: await keyOf('', 0), part: null }] }
  return { ...own, keys: await Promise.all(parts.map(async (of, part) => ({ key: await keyOf(of, part), part }))) }
}

/** Messages of one id are one: it says what the last of them says, at the place and the time of the first. */
function oncePerId(messages: readonly Incoming[]): Incoming[] {
  const byId = new Map<string | number, Incoming>()
  for (const message of messages) {
    const key = message.messageId ?? message.index
    const first = byId.get(key)
    byId.set(key, first ? { ...message, index: first.index, timestamp: first.timestamp } : message)
  }
  return [...byId.values()]
}

function incomingOf(incoming: readonly Incoming[], { id = null }: Message, index: number): Incoming {
  const own = incoming.find((one) => (id === null ? one.index === index : one.messageId === id))
  if (!own) throw new Error('no incoming message for one that is not skipped')
  return own
}

function reportOf(run: IngestRun, message: Incoming): Pick<MessageReport, 'ids' | 'status' | 'reason'> {
  const decision = run.decisionOf(message.index)
  if (decision.kind === 'skipped') return { ids: [], status: 'skipped', reason: 'history' }
  if (decision.kind === 'stored')
    return { ids: [...decision.ids], status: decision.isRetired ? 'retired' : 'unchanged' }
  const { parts, hadSurplus } = run.partsOf(message)
  return { ids: parts.map(({ id }) => id), status: hadSurplus ? 'updated' : together(parts) }
}

/** What several parts came to; a message of which only some are new is an older one that says something else. */
function together(parts: readonly PartResult[]): PartResult['status'] {
  const [first] = parts
  if (!first) throw new Error('a message has a part')
  return parts.every(({ status }) => status === first.status) ? first.status : 'updated'
}

export const ingestEndpoint = endpoint({
  method: 'post',
  path: '/v1/memory/ingest',
  operationId: 'storeMessages',
  refusals: ITEM_REFUSALS,
  tag: 'memory',
  summary: 'Store messages of a conversation',
  description:
    'Stores each message as an item of kind `turn`, in order. A message with an `id`, or with a `timestamp`, is stored once, however often it is sent; ' +
    'any other is stored each time in mode `append`. In mode `history`, which also needs `read:memory`, send the last messages of the conversation each time: only what is new is stored. ' +
    'Messages of the roles `system` and `tool` are stored only if `roles` names them. Each 20 messages take a permit of the limit.',
  scope: 'write:memory',
  scopeForBody: ({ mode }: IngestInput) => (mode === 'history' ? 'read:memory' : null),
  limit: 'memory.ingest',
  audit: 'memory.ingest',
  body: IngestBody,
  reply: { 200: IngestReportSchema },
  errors: ['not_found', 'forbidden', 'custom_id_taken', 'conflict', 'quota_exceeded'],
  idempotent: {
    mode: 'resumed',
    resource: (report: IngestReport) => JSON.stringify(report),
    replay: async (_ctx, report) => JSON.parse(report) as IngestReport,
  },
  example: {
    body: {
      conversation_id: 'chat-18',
      messages: [
        { id: 'm1', role: 'user', name: 'Ada', content: 'I moved to Lisbon in May.' },
        { id: 'm2', role: 'assistant', content: [{ type: 'text', text: 'How do you like it there?' }] },
      ],
    },
    reply: {
      conversation_id: 'chat-18',
      messages: [
        { ids: [SAMPLE_IDS.turn], message_id: 'm1', status: 'created' },
        { ids: [SAMPLE_IDS.nextTurn], message_id: 'm2', status: 'created' },
      ],
    },
  },
}).handle(async ({ ctx, body, charge }) => {
  const further = Math.ceil(body.messages.length / MESSAGES_A_PERMIT) - 1
  if (further > 0) await charge(further)
  return ingest(ctx, body)
})
