import type { FC } from 'hono/jsx'
import { SCOPE_TEXTS, Visible, type Grant } from '../../auth/index.ts'
import type { PageContext } from '../page-context.ts'
import { Time } from './elements.tsx'
import { Ask } from './ask.tsx'
import { AuditLink } from './audit-link.tsx'

/** What the user granted, with a button that ends it. `path` is the page, under which the form's path begins. */
export const GrantList: FC<{ ctx: PageContext; grants: readonly Grant[]; path: string }> = ({ ctx, grants, path }) => (
  <ul class="list">
    {grants.map((grant) => (
      <li>
        <div class="row row-between">
          <h3>
            <Visible text={grant.application.name} />
          </h3>
          <Ask
            ctx={ctx}
            action={`${path}/${grant.id}/disconnect`}
            verb="Disconnect"
            about={<Visible text={grant.application.name} />}
            small
            routine
          >
            <p>
              It is refused from its next request on, its sockets close, and the webhooks that it created stop. It keeps
              what it has already read. To allow it again, connect it again.
            </p>
          </Ask>
        </div>
        <p class="muted">{grant.scopes.map((scope) => SCOPE_TEXTS[scope]).join(' · ')}</p>
        <p class="small muted">
          Connected <Time at={grant.created_at} />, last used <Time at={grant.last_used_at} /> ·{' '}
          <AuditLink
            through={{ app_id: grant.application.client_id }}
            name={<Visible text={grant.application.name} />}
          />
        </p>
      </li>
    ))}
  </ul>
)
