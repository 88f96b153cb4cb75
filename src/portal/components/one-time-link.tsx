import type { FC } from 'hono/jsx'
import { Code } from './code.tsx'
import { Card } from './elements.tsx'

/** A link with a secret, which the page shows once. */
export const OneTimeLink: FC<{ link: string; label: string; lead: string }> = ({ link, label, lead }) => (
  <Card title="Send them this link" lead={lead}>
    <div class="card-body">
      <Code label={label} text={link} secret />
    </div>
  </Card>
)

export const ResetLinkOnce: FC<{ link: string }> = ({ link }) => (
  <OneTimeLink
    link={link}
    label="Password reset link"
    lead="Anyone who has the link can set a new password. It is shown once, works once and lasts a day."
  />
)
