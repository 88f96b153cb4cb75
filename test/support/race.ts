import { loadCredential } from '../../src/auth/index.ts'
import type { Principal } from '../../src/core/context.ts'
import { Database } from '../../src/core/database/database.ts'
import { db, system, home, bindingIn } from './world.ts'

/** The database as a request sees it that loses a race: `first` happens right before its first commit. */
export function racing(first: () => Promise<unknown>): Database {
  let happened: Promise<unknown> | undefined
  class Racing extends Database {
    override async batch<Rows extends unknown[]>(
      statements: D1PreparedStatement[],
    ): Promise<{ [K in keyof Rows]: Rows[K][] }> {
      happened ??= first()
      await happened
      return super.batch<Rows>(statements)
    }
  }
  return new Racing(bindingIn(home), home)
}

/** Who calls with a session, for a verb that is called without the pipeline. */
export async function callerOf(session: { 'X-Session-Token': string }): Promise<Principal> {
  const parsed = await system.tokens.parse(session['X-Session-Token'])
  const known = await loadCredential(db, 'session', parsed?.hash ?? '')
  if (!known) throw new Error('no such session')
  return known.credential.principal
}
