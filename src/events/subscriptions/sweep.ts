import type { System } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import { shardSweep } from '../../core/queue.ts'
import { enqueueEvents } from '../queue.ts'
import { disable, type SubscriptionOwner } from '../webhooks/disable.ts'
import { CREDENTIAL_LIVES } from './subscription.ts'
import type { OutboxRow } from '../outbox.ts'

const HAND_ON = `
  update subscriptions set credential_id = (select rotated_to from api_keys k where k.id = credential_id)
  where credential_kind = 'key' and deleted_at is null
    and exists (select 1 from api_keys k where k.id = credential_id and k.rotated_to is not null)
  returning 1`

/** A successor may have been rotated too. Longer chains go on with the next run. */
const MAX_HANDED_ON = 10
/** Subscriptions of ended credentials of one run. */
const MAX_ENDED = 100

/**
 * Deletes the subscriptions of erased users, with what they keep sealed. Hands those of a rotated key on to its successor.
 * Disables those of an ended credential. Answers whether there may be more.
 */
async function endCredentials(system: System, db: Database): Promise<boolean> {
  await db.write(
    `update subscriptions set deleted_at = :now, url = '', filters = '{}', headers = null, secret = '', previous_secret = null
     where deleted_at is null and not exists (select 1 from users u where u.id = user_id and u.deleted_at is null)`,
    { now: system.now() },
  )
  for (let times = 0; times < MAX_HANDED_ON && (await db.write(HAND_ON)).length > 0;) times += 1
  const ended = await db.all<SubscriptionOwner>(
    `select s.id as subscription_id, s.tenant_id, s.user_id from subscriptions s
     where s.deleted_at is null and s.disabled_reason is not 'credential_ended' and not ${CREDENTIAL_LIVES}
     limit ${MAX_ENDED}`,
    { now: system.now() },
  )
  for (const subscription of ended) {
    const [notifications] = await db.batch<[OutboxRow]>(disable(system, db, subscription, 'credential_ended'))
    await enqueueEvents(system, db, notifications)
  }
  return ended.length === MAX_ENDED
}

export const credentialSweep = shardSweep('subscriptions.credentials', 5, endCredentials)
