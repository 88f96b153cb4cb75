import { directoryDatabase } from '../auth/index.ts'
import type { System } from '../core/context.ts'
import type { Database } from '../core/database/database.ts'
import type { Sweep } from '../core/queue.ts'
import { DATABASES_AT_ONCE } from '../core/shards.ts'
import { inParallel } from '../core/values/in-parallel.ts'
import { DEPLOYMENT } from '../limits/index.ts'

/** The limits of the deployment as one text that is equal where they are. */
const READ = `
  select coalesce(json_group_array(json_object(
    'account_class', account_class, 'name', name, 'permits', permits, 'updated_at', updated_at)), '[]') as settings
  from (select * from limit_settings where subject = '${DEPLOYMENT}' order by account_class, name)`

const DROP = `
  delete from limit_settings where subject = '${DEPLOYMENT}' and not exists (
    select 1 from json_each(:settings) where value ->> 'name' = limit_settings.name
      and value ->> 'account_class' = limit_settings.account_class)`

const COPY = `
  insert into limit_settings (subject, account_class, name, permits, holder, tenant_id, updated_at)
  select '${DEPLOYMENT}', value ->> 'account_class', value ->> 'name', value ->> 'permits', '${DEPLOYMENT}', null,
    value ->> 'updated_at' from json_each(:settings) where true
  on conflict (subject, account_class, name) do update set permits = excluded.permits, updated_at = excluded.updated_at`

/** The most rounds of copying: a change in between starts another round. After them a sweep makes the copies. */
const MAX_ROUNDS = 3

/**
 * Copies the limits of the deployment from the directory's shard to the others, where hubs read them beside those of
 * their users. A shard that does not answer gets them from the sweep. With two changes at once the one that copies last
 * looks again, and so copies both.
 */
export async function spreadDeployment(system: System): Promise<void> {
  const [first, ...others] = system.shards
  if (first === undefined || others.length === 0) return
  const directory = directoryDatabase(system)
  let settings = await settingsIn(directory)
  for (let round = 0; round < MAX_ROUNDS; round++) {
    await copyToAll(system, others, settings)
    const copied = settings
    settings = await settingsIn(directory)
    if (settings === copied) return
  }
}

const copyToAll = (system: System, shards: readonly string[], settings: string): Promise<unknown> =>
  inParallel(DATABASES_AT_ONCE, shards, async (shard) => {
    try {
      await copyTo(system.database(shard), settings)
    } catch (error) {
      system.log.error({ event: 'limits.not_spread', shard }, error)
    }
  })

async function copyTo(db: Database, settings: string): Promise<void> {
  if ((await settingsIn(db)) === settings) return
  await db.batch([db.statement(DROP, { settings }), db.statement(COPY, { settings })])
}

const settingsIn = async (db: Database): Promise<string> =>
  (await db.first<{ settings: string }>(READ))?.settings ?? '[]'

export const spreadSweep: Sweep = { name: 'limits.spread', everyMinutes: 1, run: spreadDeployment }
