import { runErasure } from '../../src/memory/erasures/run.ts'
import { REPEAT_AFTER_MS } from '../../src/memory/purge/erase.ts'
import { travel } from './clock.ts'
import { db, system } from './world.ts'

/** More than the tombstones that all tests leave. */
const MAX_PORTIONS = 5_000

/** Runs an erasure to `erased`: tombstones of other tests are in its way, as those of other tenants would be. */
export async function runToItsEnd(id: string): Promise<void> {
  const isRunning = () => db.first("select 1 from erasures where id = :id and status = 'running'", { id })
  for (let portion = 0; portion < MAX_PORTIONS && (await isRunning()); portion++)
    if (!(await runErasure(system, db, id))) travel(REPEAT_AFTER_MS)
}
