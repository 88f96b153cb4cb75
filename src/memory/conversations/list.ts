import { z } from '@hono/zod-openapi'
import type { AuthContext } from '../../core/context.ts'
import { pageOf, type Page } from '../../core/http/cursor.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { anyId, idOf, onlyTrue, timestamp } from '../../core/http/fields.ts'
import { SealedPageQuery, sealedOrder } from '../../core/http/sealed-cursor.ts'
import { SAMPLE_IDS, SAMPLE_TIME, samplePage } from '../../core/sample.ts'
import { iso } from '../../core/values/clock.ts'
import { betweenCharacters } from '../../core/values/code-points.ts'
import { accessParams, requireProject, targetProject } from '../access.ts'
import { ALL_NAMESPACES, readContextQuery } from '../filter/read-context.ts'
import { DEFAULT_NAMESPACE } from '../item.ts'
import { PROJECT_REFUSALS } from '../refusals.ts'
import { statusesOf, StatusFilter } from '../retirement/status-filter.ts'
import { conversationsSql, isLastLookedAt, MAX_COUNTED_TURNS, type ConversationRow } from './list-sql.ts'

export const ListConversations = SealedPageQuery.extend({
  project_id: anyId.optional(),
  namespace: readContextQuery.namespace,
  status: StatusFilter,
})

const MAX_LINE_CHARACTERS = 200

const ConversationSchema = z
  .object({
    conversation_id: z.string(),
    project_id: idOf('prj'),
    namespace: z.string(),
    turns: z
      .int()
      .meta({ description: `Turns that you can read, counted up to ${MAX_COUNTED_TURNS.toLocaleString('en-US')}.` }),
    turns_truncated: onlyTrue.optional().meta({ description: 'Only if there are, or may be, more turns.' }),
    first_at: timestamp.meta({ description: 'When the first of these turns occurred.' }),
    last_at: timestamp.meta({ description: 'When the last of these turns occurred.' }),
    subject: z.string().nullable().meta({ description: 'Of the first of these turns.' }),
    first_line: z.string().meta({
      description: `The first line of the first of these turns, at most ${MAX_LINE_CHARACTERS} characters of it.`,
    }),
  })
  .openapi('Conversation')
export type MemoryConversation = z.infer<typeof ConversationSchema>

/** `last_at` of the table counts turns that the caller may not read too: it gives the order, and no answer shows it. */
const positionOf = (row: ConversationRow): [number, string, string] => [row.at, row.namespace, row.conversation_id]
const byLastTurn = sealedOrder(
  'conversations',
  z.tuple([z.number(), z.string(), z.string()]),
  [Number.MAX_SAFE_INTEGER, '', ''],
  positionOf,
)

/** The conversations of one project with a turn that the caller may read, newest first. 404 for a hidden project. */
export async function listConversations(
  ctx: AuthContext,
  input: z.output<typeof ListConversations>,
): Promise<Page<MemoryConversation>> {
  const target = targetProject(ctx, input.project_id)
  const { projectId } = target
  ctx.trail.projectId = projectId
  const order = byLastTurn(ctx, projectId)
  const [at, namespace, id] = await order.after(input)
  const { namespace: named = DEFAULT_NAMESPACE } = input
  const place = named === ALL_NAMESPACES ? { after_namespace: namespace } : { namespace: named }
  const text = conversationsSql(ctx.principal, statusesOf(input.status), { isOneNamespace: named !== ALL_NAMESPACES })
  const rows = await ctx.db.all<ConversationRow>(text, {
    ...accessParams(ctx),
    ...place,
    project: projectId,
    after_at: at,
    after_id: id,
    rows: input.limit + 1,
  })
  if (rows.length === 0) await requireProject(ctx, target)
  const shown = rows.filter(({ turns }) => turns > 0)
  const last = rows.at(-1)
  const stop = last && isLastLookedAt(last) ? positionOf(last) : null
  return order.page(shown, input, (row) => toConversation(row, projectId), stop)
}

const toConversation = (row: ConversationRow, projectId: string): MemoryConversation => ({
  conversation_id: row.conversation_id,
  project_id: projectId,
  namespace: row.namespace,
  turns: Math.min(row.turns, MAX_COUNTED_TURNS),
  ...(row.looked_at > MAX_COUNTED_TURNS ? { turns_truncated: true } : {}),
  first_at: iso(row.first_at),
  last_at: iso(row.last_at),
  subject: row.subject,
  first_line: firstLine(row.text),
})

function firstLine(text: string): string {
  const [line = ''] = text.trimStart().split(/[\r\n]/, 1)
  return line.slice(0, betweenCharacters(line, MAX_LINE_CHARACTERS)).trimEnd()
}

export const listConversationsEndpoint = endpoint({
  method: 'get',
  path: '/v1/memory/conversations',
  operationId: 'listConversations',
  refusals: PROJECT_REFUSALS,
  tag: 'memory',
  summary: 'List conversations',
  description:
    'Lists the conversations of one namespace of one project, or of all namespaces with `*`, in which you can read a turn: the one with the newest turn first. ' +
    'A page can have fewer entries than its limit.',
  scope: 'read:memory',
  limit: 'read',
  audit: 'memory.conversations',
  query: ListConversations,
  reply: { 200: pageOf(ConversationSchema) },
  errors: ['not_found'],
  example: {
    query: { limit: 20 },
    reply: samplePage({
      conversation_id: 'chat-18',
      project_id: SAMPLE_IDS.defaultProject,
      namespace: 'default',
      turns: 2,
      first_at: SAMPLE_TIME,
      last_at: '2026-11-21T09:30:00.001Z',
      subject: null,
      first_line: 'I moved to Lisbon in May.',
    }),
  },
}).handle(({ ctx, query }) => listConversations(ctx, query))
