import { pageHeaders } from '../../auth/index.ts'
import { refusal } from '../api.ts'
import { page } from '../route.ts'

/** Downloads all data that the service keeps about the user. */
export const profileExportRoute = page('/portal/settings/export', async (ctx) => {
  const answer = await ctx.api.raw('/v1/users/me/export', { method: 'GET' })
  if (!answer.ok) throw await refusal(answer)
  return new Response(answer.body, {
    headers: {
      ...pageHeaders(),
      'Content-Type': answer.headers.get('content-type') ?? 'application/json',
      'Content-Disposition': 'attachment; filename="recollect-profile.json"',
    },
  })
})
