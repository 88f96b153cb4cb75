import type { AuthContext } from '../../src/core/context.ts'
import { Database } from '../../src/core/database/database.ts'
import type { Meter } from '../../src/core/database/meter.ts'
import { observedDatabase } from './observed-database.ts'
import { bindingIn, home } from './world.ts'

interface Asked extends Meter {
  /** The SQL of each statement that ran, in order. */
  statements: string[]
}

let statements: string[] = []
/** One for all requests, as an isolate has one: what it remembers of a read decides how the next one goes. */
const database = new Database(
  observedDatabase(bindingIn(home), (trip, sql) => {
    statements.push(...sql)
    return trip()
  }),
  home,
)

/** A request, and what it asks of the database until the next one is made. */
export function withAsked(ctx: AuthContext): { own: AuthContext; asked: Asked } {
  statements = []
  const asked = { roundTrips: 0, rowsRead: 0, rowsWritten: 0, statements }
  return { own: { ...ctx, db: database.inTurnOf(ctx.principal.routingId, ctx).metered(asked) }, asked }
}
