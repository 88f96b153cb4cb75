import { z } from '@hono/zod-openapi'
import { idOf } from '../../core/http/fields.ts'
import { ContextId, contextFields, writtenFields } from '../item.ts'
import { warningFields } from '../warnings.ts'
import { LEFT_OUT, MAX_INGESTED_MESSAGES, Message } from './message.ts'
import { TurnRoleField } from './turn.ts'

const { conversation_id: _own, ...otherContext } = contextFields
const { tags, ttl, visibility, permissions } = writtenFields

/** It stands in the path of the conversation, where clients and servers resolve dots. */
const ConversationId = ContextId.refine((id) => !/^\.{1,2}$/.test(id), {
  message: 'cannot be "." or "..", since a path cannot hold it',
})

/** Roles whose messages are stored without being asked for. */
const USUAL_ROLES = ['user', 'assistant'] as const

export const IngestBody = z
  .strictObject({
    conversation_id: ConversationId,
    messages: z.array(Message).min(1).max(MAX_INGESTED_MESSAGES),
    mode: z.enum(['append', 'history']).default('append').meta({
      description:
        '`history`: the last messages of the conversation are sent each time, and only what is new is stored.',
    }),
    context: z.strictObject(otherContext).optional(),
    tags,
    ttl,
    visibility,
    permissions,
    roles: z
      .array(TurnRoleField)
      .min(1)
      .default([...USUAL_ROLES])
      .meta({ description: 'Messages of other roles are skipped.' }),
  })
  .openapi('ConversationIngest')
export type IngestInput = z.output<typeof IngestBody>

export const STATUSES = ['created', 'updated', 'unchanged', 'retired', 'skipped'] as const
export const SKIPPED = ['role', 'no_text', 'history'] as const
export type SkipReason = (typeof SKIPPED)[number]

export const IngestReportSchema = z
  .object({
    conversation_id: z.string(),
    messages: z.array(
      z.object({
        ids: z.array(idOf('mem')).meta({ description: 'Of its items: one, or one for each part of a long text.' }),
        message_id: z.string().optional(),
        status: z.enum(STATUSES),
        reason: z.enum(SKIPPED).optional().meta({ description: 'Why it was skipped.' }),
        left_out: z
          .array(z.object({ part: z.int(), type: z.string(), reason: z.enum(LEFT_OUT) }))
          .optional()
          .meta({ description: 'Parts of its content that brought no text.' }),
      }),
    ),
    ...warningFields,
  })
  .openapi('ConversationIngestReport')
export type IngestReport = z.infer<typeof IngestReportSchema>
export type MessageReport = IngestReport['messages'][number]
