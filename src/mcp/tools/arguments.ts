import { z } from 'zod'
import { MAX_TOKENS } from '../../core/values/token-budget.ts'
import { ITEM_KINDS } from '../../core/values/items.ts'
import { instant } from '../../core/http/instant.ts'
import { itemParts, ReadContext } from '../../memory/index.ts'
import { MAX_ANSWER_TOKENS } from '../budget/cost.ts'

/** What fills the answer of a tool that finds or lists memories, unless the caller says otherwise. */
export const DEFAULT_MAX_TOKENS = 8_000

const maxTokens = z.int().min(1).max(MAX_TOKENS)
const ESTIMATE = `Token budget for the whole answer, estimated at three bytes per token; at most ${MAX_ANSWER_TOKENS} are used.`

/** The arguments that several tools share. Their bounds are those of the REST API. */
export const shared = {
  id: z.string().min(1).max(64).meta({ description: 'Id of the memory: mem_….' }),
  content: itemParts.text.meta({
    description: 'The text to remember: one fact, in a sentence that makes sense on its own.',
  }),
  tags: itemParts.tags.meta({ description: 'Up to 32 labels, such as people or topics.' }),
  metadata: itemParts.metadata.meta({ description: 'Structured data to store with the text, at most 16 KiB.' }),
  project_id: itemParts.project_id.optional().meta({
    description: 'Project id from list_projects (default: the default project).',
  }),
  reason: itemParts.retired_reason.meta({ description: 'Why it is no longer true, in a few words.' }),
  ttl: itemParts.ttl.meta({ description: 'Seconds until the memory is forgotten.' }),
  namespace: itemParts.namespace
    .optional()
    .meta({ description: 'Part of the project to store in (default: "default").' }),
  readNamespace: ReadContext.shape.namespace.meta({
    description: 'Part of the project to search in (default: "default"); "*" for all.',
  }),
  subject: itemParts.subject
    .optional()
    .meta({ description: 'The person or thing that the memory is about: a name or an id. It cannot change later.' }),
  kind: z
    .enum(ITEM_KINDS)
    .optional()
    .meta({ description: '`turn`: only messages of conversations; `note`: only the others.' }),
  readSubject: ReadContext.shape.subject.meta({ description: 'Only memories that are about this person or thing.' }),
  after: instant
    .optional()
    .meta({ description: 'Only what happened after this time (not at it), such as 2026-11-21T09:30:00Z.' }),
  before: instant.optional().meta({ description: 'Only what happened before this time (not at it).' }),
  /** The operation reads it with its offset. */
  referenceDate: z.string().min(1).optional().meta({
    format: 'date-time',
    description:
      'The time now for the user, with their offset, such as 2026-11-21T09:30:00+01:00. "Yesterday" is understood from it.',
  }),
  manyTokens: maxTokens
    .default(DEFAULT_MAX_TOKENS)
    .meta({ description: `${ESTIMATE} Long memories are shown in part, at least one.` }),
  tokens: maxTokens.default(MAX_ANSWER_TOKENS).meta({ description: `${ESTIMATE} A long text is shown in part.` }),
  offset: z.int().min(0).default(0).meta({ description: 'To read on: next_offset of the previous part.' }),
}
