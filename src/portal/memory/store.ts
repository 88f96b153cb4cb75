import type { MemoryItem } from '../../memory/index.ts'
import { done } from '../answer.tsx'
import { attempt } from '../form.ts'
import { action } from '../visit.ts'
import { readItem } from './item-fields.ts'
import { placePath } from './place.tsx'
import { playground } from './playground.tsx'

export const storeRoute = action('/portal/memory', async (visit) => {
  const input = readItem(visit.form)
  if (!input.ok) return playground(visit, input.error)
  const body = {
    ...input.value,
    context: {
      project_id: visit.form.text('project_id'),
      ...(visit.form.text('namespace') ? { namespace: visit.form.text('namespace') } : {}),
    },
  }
  const stored = await attempt(visit.api.post<MemoryItem>('/api/memory/store', body, visit.form.text('once')))
  if (!stored.ok) return playground(visit, stored.error)
  const { context } = stored.value
  return done(visit, placePath({ projectId: context.project_id, namespace: '*' }, '#memories'), {
    tone: 'ok',
    text: 'Stored. Its words can be found now, its meaning once it is completed.',
  })
})
