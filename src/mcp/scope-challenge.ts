import { bearerChallenge, type CalledResource } from '../auth/index.ts'
import { SCOPES, type Scope } from '../core/context.ts'
import type { AppError } from '../core/errors.ts'

/**
 * The refusal of a token that lacks a scope, with a challenge that names the scopes of the operation and those that the
 * token has: some clients ask for the scopes of a challenge alone the next time, and would lose what they had.
 */
export function withHeldScopes(error: AppError, called: CalledResource, held: readonly Scope[]): AppError {
  if (error.code !== 'insufficient_scope') return error
  const needed = /scope="([^"]*)"/.exec(error.headers['WWW-Authenticate'] ?? '')?.[1]?.split(' ') ?? []
  const scopes = SCOPES.filter((scope) => needed.includes(scope) || held.includes(scope))
  Object.assign(error.headers, { 'WWW-Authenticate': bearerChallenge(called, 'insufficient_scope', scopes) })
  return error
}
