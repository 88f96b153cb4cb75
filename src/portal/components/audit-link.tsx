import type { Child, FC } from 'hono/jsx'

interface AuditLinkProps {
  through: { credential_id: string } | { app_id: string }
  /** Of the key or the application, which a page has several of. */
  name: Child
}

/** Leads to the log of what was done through a key or an application. */
export const AuditLink: FC<AuditLinkProps> = ({ through, name }) => (
  <a href={`/portal/audit?${new URLSearchParams(through).toString()}`}>
    Audit log<span class="sr-only"> of {name}</span>
  </a>
)
