import { z } from 'zod'
import { recallEndpoint, RecallInput, type RecallReply } from '../../memory/index.ts'
import { shared } from './arguments.ts'
import { stored } from './stored.ts'
import { tool } from './tool.ts'

/** Three characters each, which take eight bytes of a result at most: more would pass the bound of every answer. */
const MAX_RECALL_TOKENS = 2_900

export const recall = tool({
  name: 'recall',
  title: 'Recall',
  description:
    'Returns what earlier conversations and notes say about a question as one short text, oldest first; empty if nothing is relevant. Without query: pinned notes and the newest exchanges. Call it at the start of a conversation; use search_memories to look through memories one by one.',
  effect: 'reads',
  operation: recallEndpoint,
  target: 'project',
  input: {
    query: RecallInput.shape.query.meta({ description: 'What the user asks, in their words.' }),
    max_tokens: RecallInput.shape.max_tokens.meta({
      description: `Token budget for the text, at three characters per token; at most ${MAX_RECALL_TOKENS} are used.`,
    }),
    reference_date: shared.referenceDate,
    namespace: shared.readNamespace,
    project_id: shared.project_id,
  },
  output: z.looseObject({
    text: stored.text,
    pending: z.number().meta({ description: 'Number of memories that cannot be found by meaning yet.' }),
  }),
  ask: ({ query, max_tokens, reference_date, namespace, project_id }) => ({
    body: {
      query,
      ...(reference_date === undefined ? {} : { reference_date }),
      max_tokens: Math.min(max_tokens, MAX_RECALL_TOKENS),
      context: { namespace, project_id },
    },
  }),
  result: ({ body: { text = '', ...rest } }: { body: RecallReply }) => ({ text, ...rest }),
})
