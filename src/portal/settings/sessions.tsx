import type { FC } from 'hono/jsx'
import { Visible, type Session } from '../../auth/index.ts'
import { done } from '../answer.tsx'
import { Badge, Card, Time } from '../parts/bits.tsx'
import { ActionButton } from '../parts/forms.tsx'
import { deviceOf } from './device.ts'
import { action, type Visit } from '../visit.ts'
import type { Page } from '../../core/http/cursor.ts'

export const sessionsOf = async (visit: Visit): Promise<Session[]> =>
  (await visit.api.get<Page<Session>>('/v1/sessions', { limit: 100 })).data

export const sessionRoutes = [
  action('/portal/settings/sessions/end-others', async (visit) => {
    await visit.api.delete('/v1/sessions')
    return done(visit, '/portal/settings', { tone: 'ok', text: 'All other sessions have ended.' })
  }),

  action('/portal/settings/sessions/:id/end', async (visit) => {
    await visit.api.delete(`/v1/sessions/${visit.params['id']}`)
    return done(visit, '/portal/settings', { tone: 'ok', text: 'The session has ended.' })
  }),
]

export const Sessions: FC<{ visit: Visit; sessions: readonly Session[] }> = ({ visit, sessions }) => (
  <Card title="Sessions" lead="Where you are signed in.">
    <table class="table">
      <thead>
        <tr>
          <th scope="col">Device</th>
          <th scope="col">Last seen</th>
          <th scope="col">Signed in</th>
          <th scope="col">
            <span class="sr-only">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
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
                <ActionButton visit={visit} action={`/portal/settings/sessions/${session.id}/end`} small>
                  End<span class="sr-only"> the session on {deviceOf(session.user_agent)}</span>
                </ActionButton>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
    {sessions.length > 1 && (
      <div class="card-foot">
        <ActionButton visit={visit} action="/portal/settings/sessions/end-others" tone="danger" small>
          End all other sessions
        </ActionButton>
      </div>
    )}
  </Card>
)
