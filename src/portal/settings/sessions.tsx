import type { FC } from 'hono/jsx'
import { Visible, type Session } from '../../auth/index.ts'
import { redirectWithFlash } from '../respond.tsx'
import { Badge, Card, Time } from '../components/elements.tsx'
import { Ask } from '../components/ask.tsx'
import { Table } from '../components/table.tsx'
import { deviceOf } from './device.ts'
import type { PageContext } from '../page-context.ts'
import { formAction } from '../route.ts'
import type { Page } from '../../core/http/cursor.ts'

export const sessionsOf = async (ctx: PageContext): Promise<Session[]> =>
  (await ctx.api.get<Page<Session>>('/v1/sessions', { limit: 100 })).data

export const sessionRoutes = [
  formAction('/portal/settings/sessions/end-others', async (ctx) => {
    await ctx.api.delete('/v1/sessions')
    return redirectWithFlash(ctx, '/portal/settings', { tone: 'ok', text: 'All other sessions have ended.' })
  }),

  formAction('/portal/settings/sessions/:id/end', async (ctx) => {
    await ctx.api.delete(`/v1/sessions/${ctx.params['id']}`)
    return redirectWithFlash(ctx, '/portal/settings', { tone: 'ok', text: 'The session has ended.' })
  }),
]

export const Sessions: FC<{ ctx: PageContext; sessions: readonly Session[] }> = ({ ctx, sessions }) => (
  <Card title="Sessions" lead="Where you are signed in.">
    <Table columns={['Device', 'Last seen', 'Signed in']} actions>
      {sessions.map((session) => (
        <tr>
          <td class="lead" data-label="Device">
            <Visible text={deviceOf(session.user_agent)} />
            {session.current && (
              <>
                {' '}
                <Badge tone="ok">This one</Badge>
              </>
            )}
          </td>
          <td data-label="Last seen">{session.last_used_at ? <Time at={session.last_used_at} /> : 'Never'}</td>
          <td data-label="Signed in">
            <Time at={session.created_at} />
          </td>
          <td class="end">
            {!session.current && (
              <Ask
                ctx={ctx}
                action={`/portal/settings/sessions/${session.id}/end`}
                verb="End"
                about={
                  <>
                    the session on <Visible text={deviceOf(session.user_agent)} />
                  </>
                }
                small
                routine
              >
                <p>
                  It is signed out at its next request, and its sockets close. Keys and connected apps keep working.
                </p>
              </Ask>
            )}
          </td>
        </tr>
      ))}
    </Table>
    {sessions.length > 1 && (
      <div class="card-foot">
        <Ask
          ctx={ctx}
          action="/portal/settings/sessions/end-others"
          verb="End all other sessions"
          question="End all other sessions?"
          small
          routine
        >
          <p>Every other device is signed out at its next request. Keys and connected apps keep working.</p>
        </Ask>
      </div>
    )}
  </Card>
)
