import { clearCookie, SESSION_COOKIE } from '../../auth/index.ts'
import { redirect } from '../respond.tsx'
import { refusal } from '../api.ts'
import { clearFlash } from '../flash.ts'
import { publicFormAction } from '../route.ts'

/** Ends the session on the server and clears its cookie. A session that has already ended answers 401. */
export const signOutRoute = publicFormAction('/portal/sign-out', async (ctx) => {
  const answer = await ctx.api.raw('/auth/logout', { method: 'POST' })
  if (!answer.ok && answer.status !== 401) throw await refusal(answer)
  return redirect('/portal/sign-in', [clearCookie(SESSION_COOKIE), clearFlash()])
})
