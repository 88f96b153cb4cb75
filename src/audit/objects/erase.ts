import type { System } from '../../core/context.ts'

/** R2 deletes at most this many keys a call. */
const KEYS_A_CALL = 1_000
/** Bounds one run. The next run erases the rest. */
const MAX_CALLS = 20

/**
 * Erases objects of a shard whose pages are all past their retention, and then their rows. After a crash between the two, the
 * next run erases the same objects again. Answers whether there may be more.
 */
export async function eraseObjects(system: System, shard: string, keptSince: number): Promise<boolean> {
  if (system.auditObjects === null) return false
  const db = system.auditDatabase(shard)
  for (let call = 0; call < MAX_CALLS && !db.isSpent; call++) {
    const rows = await db.all<{ key: string }>(
      `select key from audit_objects where newest_at < :kept_since order by newest_at limit ${KEYS_A_CALL}`,
      { kept_since: keptSince },
    )
    if (rows.length === 0) return false
    const keys = rows.map((row) => row.key)
    await system.auditObjects.delete(keys)
    await db.write('delete from audit_objects where key in (select value from json_each(:keys))', {
      keys: JSON.stringify(keys),
    })
    if (rows.length < KEYS_A_CALL) return false
  }
  return true
}
