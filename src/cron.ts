import { auditSweeps } from './audit/index.ts'
import { denialSweep, oauthSweep, sessionSweep } from './auth/index.ts'
import { sweepKeys } from './core/http/idempotency.ts'
import type { Sweep } from './core/queue.ts'
import { depsOf } from './deps.ts'
import { invitationSweep } from './identity/index.ts'
import { embedSweep, expirySweep, purgeSweep, segmentSweep } from './memory/index.ts'
import { eventSweeps } from './events/index.ts'

/**
 * Every sweep of every feature, run one after the other. Sweeps that end access come first, so that no backlog of
 * another sweep delays them. A sweep that fails is logged and does not stop the others.
 */
export const sweeps: Sweep[] = [
  denialSweep,
  ...auditSweeps,
  embedSweep,
  expirySweep,
  purgeSweep,
  sessionSweep,
  invitationSweep,
  ...eventSweeps,
  oauthSweep,
  segmentSweep,
  {
    name: 'idempotency.expire',
    // Each keyed write leaves one: an hour's could be more than a run erases.
    everyMinutes: 5,
    run: async (system) => {
      for (const shard of system.shards) await sweepKeys(system.database(shard), system.now())
    },
  },
]

export async function sweep(controller: ScheduledController, env: Env, execution: ExecutionContext): Promise<void> {
  const system = depsOf(env)((work) => execution.waitUntil(work))
  const minute = Math.floor(controller.scheduledTime / 60_000)
  for (const one of sweeps) {
    if (minute % one.everyMinutes !== 0) continue
    try {
      await one.run(system)
    } catch (error) {
      system.log.error({ event: 'sweep.failed', sweep: one.name }, error)
    }
  }
}
