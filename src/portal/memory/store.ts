import type { MemoryItem } from '../../memory/index.ts'
import { redirectWithFlash } from '../respond.tsx'
import { attempt } from '../form.ts'
import { formAction } from '../route.ts'
import { readItem } from './item-fields.ts'
import { playgroundPath } from './project-selection.tsx'
import { playground } from './playground.tsx'
import { secretNotice } from './secret-notice.ts'

export const storeRoute = formAction('/portal/memory', async (ctx) => {
  const input = readItem(ctx.form)
  if (!input.ok) return playground(ctx, input.error)
  const body = {
    ...input.value,
    context: {
      project_id: ctx.form.text('project_id'),
      ...(ctx.form.text('namespace') ? { namespace: ctx.form.text('namespace') } : {}),
    },
  }
  const stored = await attempt(ctx.api.post<MemoryItem>('/api/memory/store', body, ctx.form.text('once')))
  if (!stored.ok) return playground(ctx, stored.error)
  const { context } = stored.value
  return redirectWithFlash(ctx, playgroundPath({ projectId: context.project_id, namespace: '*' }, '#memories'), {
    tone: 'ok',
    text: `Stored. It can be found by keyword now, and by meaning once it is completed.${secretNotice(stored.value)}`,
  })
})
