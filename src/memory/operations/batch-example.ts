import type { Example } from '../../core/http/endpoint.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'
import { SAMPLE_ITEM } from '../sample.ts'

const operations = [
  { op: 'store', content: 'Buy tea.', tags: ['tea'] },
  { op: 'update', id: SAMPLE_IDS.memory, tags: ['ada', 'health', 'checked'] },
  { op: 'delete', id: SAMPLE_IDS.otherMemory },
]

const { project_id, namespace } = SAMPLE_ITEM.context

const results = [
  {
    index: 0,
    op: 'store',
    status: 'success',
    id: SAMPLE_IDS.batchMemory,
    item: {
      ...SAMPLE_ITEM,
      id: SAMPLE_IDS.batchMemory,
      content: { text: 'Buy tea.', type: 'text/plain', metadata: {} },
      context: { project_id, scope: 'project', namespace },
      tags: ['tea'],
      ttl: null,
      custom_id: null,
      embedding_status: 'pending',
      embedding_model: null,
      expires_at: null,
    },
  },
  {
    index: 1,
    op: 'update',
    status: 'success',
    id: SAMPLE_IDS.memory,
    item: { ...SAMPLE_ITEM, tags: ['ada', 'health', 'checked'], version: 2 },
  },
  { index: 2, op: 'delete', status: 'success', id: SAMPLE_IDS.otherMemory },
]

/** The batch of the reference: one operation of each kind that writes, and its result. */
export const BATCH_EXAMPLE: Example = {
  body: { operations },
  reply: { results, success_count: 3, error_count: 0 },
}
