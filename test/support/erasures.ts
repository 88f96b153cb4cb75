import type { System } from '../../src/core/context.ts'
import { runErasure } from '../../src/memory/erasures/run.ts'
import { REPEAT_AFTER_MS } from '../../src/memory/purge/erase.ts'
import { travel } from './clock.ts'
import { db, system } from './world.ts'

const MAX_PORTIONS = 1_000

/** Runs an erasure to `erased`. */
export async function runToItsEnd(id: string, over: System = system): Promise<void> {
  const isRunning = () => db.first("select 1 from erasures where id = :id and status = 'running'", { id })
  for (let portion = 0; portion < MAX_PORTIONS && (await isRunning()); portion++)
    if (!(await runErasure(over, db, id))) travel(REPEAT_AFTER_MS)
}
