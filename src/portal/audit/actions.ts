import type { PageContext } from '../page-context.ts'

/** Actions that no endpoint declares: those of pages, of the token endpoint and of visitors who log in. */
const FURTHER = [
  'auth.login',
  'auth.register',
  'auth.reset_password',
  'oauth.consent',
  'oauth.refresh',
  'oauth.refresh_retry',
  'oauth.revoke',
  'oauth.token',
]

/** Every action that a row of the audit log can have. */
export const actionsOf = ({ auditActions }: Pick<PageContext, 'auditActions'>): string[] =>
  [...new Set([...auditActions, ...FURTHER])].sort()
