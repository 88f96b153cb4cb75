/** The kinds of tokens, by how each begins: secret scanners match on it (contract §2). */
export const TOKEN_PREFIXES = [
  'rck_live',
  'rck_test',
  'rca', // access tokens
  'rcr', // refresh tokens
  'rcs', // sessions
  'rcd', // devices that have logged in
  'rcx', // client secrets
  'rcc', // authorization codes
  'rci', // invitations
  'rcp', // password reset links
] as const
export type TokenPrefix = (typeof TOKEN_PREFIXES)[number]
