import type { FC } from 'hono/jsx'
import { SAMPLE_TEXT } from '../../core/sample.ts'
import { Snippets } from './snippets.tsx'
import { requestSnippets } from '../snippets/requests.ts'

/** Code that stores a memory in a project, in each language. */
export const StoreSnippets: FC<{ origin: string; projectId: string }> = ({ origin, projectId }) => (
  <Snippets
    id="store"
    label="Store a memory"
    snippets={requestSnippets(origin, {
      path: '/api/memory/store',
      call: 'memory.store',
      body: { content: SAMPLE_TEXT, deduplicate: true, context: { project_id: projectId } },
    })}
  />
)
