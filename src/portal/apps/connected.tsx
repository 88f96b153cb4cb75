import { SCOPE_TEXTS, Visible, type Grant } from '../../auth/index.ts'
import { redirectWithFlash, renderPage } from '../respond.tsx'
import { Pager } from '../components/pager.tsx'
import { Card, Empty, Time } from '../components/elements.tsx'
import { ActionButton } from '../components/forms.tsx'
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
        lead="Apps that may act for you, because you said so. Disconnect one and it stops at its next request."
      >
        <Card>
          {grants.data.length === 0 ? (
            <Empty icon="link" title="No connected apps">
              <p>When you let an app use your memories, it is listed here with what it may do.</p>
            </Empty>
          ) : (
            <ul class="list">
              {grants.data.map((grant) => (
                <li>
                  <div class="row row-between">
                    <h2>
                      <Visible text={grant.application.name} />
                    </h2>
                    <ActionButton ctx={ctx} action={`/portal/connected/${grant.id}/disconnect`} tone="danger" small>
                      Disconnect<span class="sr-only"> {grant.application.name}</span>
                    </ActionButton>
                  </div>
                  <ul class="plain muted">
                    {grant.scopes.map((scope) => (
                      <li>{SCOPE_TEXTS[scope]}</li>
                    ))}
                  </ul>
                  <p class="small muted">
                    Connected <Time at={grant.created_at} />, last used <Time at={grant.last_used_at} />
                  </p>
                </li>
              ))}
            </ul>
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
