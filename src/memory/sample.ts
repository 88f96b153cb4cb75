import { DAY_SECONDS } from '../core/values/durations.ts'
import { SAMPLE_IDS, SAMPLE_TEXT, SAMPLE_TIME } from '../core/sample.ts'
import type { MemoryItem } from './item.ts'

/** The item of the examples. */
export const SAMPLE_ITEM: MemoryItem = {
  id: SAMPLE_IDS.memory,
  content: { text: SAMPLE_TEXT, type: 'text/plain', metadata: { source: 'chat' } },
  context: {
    project_id: SAMPLE_IDS.defaultProject,
    scope: 'conversation',
    namespace: 'default',
    conversation_id: 'chat-17',
  },
  tags: ['ada', 'health'],
  ttl: 30 * DAY_SECONDS,
  custom_id: 'allergy',
  visibility: 'project',
  kind: 'note',
  role: null,
  speaker: null,
  embedding_status: 'completed',
  embedding_model: 'embedded/recollect-static-en-v1',
  embedding_error: null,
  version: 1,
  occurred_at: null,
  created_at: SAMPLE_TIME,
  updated_at: SAMPLE_TIME,
  expires_at: '2026-12-21T09:30:00.000Z',
  created_by: SAMPLE_IDS.ada,
  created_via: 'session',
  text_via: 'session',
  status: 'current',
}
