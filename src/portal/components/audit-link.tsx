import type { FC } from 'hono/jsx'

/** Leads to the log of what was done through a key or an application. */
export const AuditLink: FC<{ through: { credential_id: string } | { app_id: string } }> = ({ through }) => (
  <a href={`/portal/audit?${new URLSearchParams(through).toString()}`}>In the audit log</a>
)
