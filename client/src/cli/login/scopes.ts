/** The scopes that the commands need, and no others: `keys` goes by an admin key or by the portal. */
export const SCOPES = ['read:memory', 'write:memory', 'read:profile', 'read:events'] as const
