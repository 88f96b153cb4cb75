import type { Grant } from '../../auth/index.ts'
import { redirectWithFlash, renderPage } from '../respond.tsx'
import { Pager } from '../components/pager.tsx'
import { Card, Empty } from '../components/elements.tsx'
import { GrantList } from '../components/grant-list.tsx'
import { Shell } from '../components/shell.tsx'
import { formAction, page } from '../route.ts'
import type { Page } from '../../core/http/cursor.ts'

export const connectedRoutes = [
  page('/portal/connected', async (ctx) => {
    const cursor = ctx.url.searchParams.get('cursor') ?? ''
    const grants = await ctx.api.get<Page<Grant>>('/v1/grants', { cursor })
    return renderPage(
      ctx,
      <Shell
        ctx={ctx}
        title="Connected apps"
        current="/portal/connected"
        lead="Apps that you allowed to act for you. A disconnected app is refused from its next request on."
      >
        <Card title="Apps">
          {grants.data.length === 0 ? (
            <Empty icon="link" title="No connected apps">
              <p>When you allow an app to use your memories, it is listed here with its permissions.</p>
            </Empty>
          ) : (
            <GrantList ctx={ctx} grants={grants.data} path="/portal/connected" />
          )}
        </Card>
        <Pager url={ctx.url} next={grants.next_cursor} />
      </Shell>,
    )
  }),

  formAction('/portal/connected/:id/disconnect', async (ctx) => {
    await ctx.api.delete(`/v1/grants/${ctx.params['id']}`)
    return redirectWithFlash(ctx, '/portal/connected', { tone: 'ok', text: 'The app is disconnected.' })
  }),
]
