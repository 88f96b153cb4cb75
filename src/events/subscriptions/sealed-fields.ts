import type { System } from '../../core/context.ts'
import { seal, unseal } from '../../core/values/seal.ts'
import type { SubscriptionRow } from './subscription.ts'

type Keys = Pick<System, 'dataKeys' | 'random'>

/** The columns that a subscription keeps sealed: its custom headers (write-only) and its signing secrets. */
type SealedColumn = 'headers' | 'secret'

/** Binds the sealed text to its row and column. */
const bindingOf = (column: SealedColumn, id: string): string => `subscriptions.${column} ${id}`

export const sealFor = (system: Keys, column: SealedColumn, id: string, plain: string): Promise<string> =>
  seal(system.dataKeys, bindingOf(column, id), plain, system.random)

export const secretOf = (system: Keys, row: Pick<SubscriptionRow, 'id' | 'secret'>): Promise<string> =>
  unseal(system.dataKeys, bindingOf('secret', row.id), row.secret)

/** The secrets that sign now, newest first. There are two during the overlap of a rotation. */
export async function signingSecrets(
  system: Keys,
  row: Pick<SubscriptionRow, 'id' | 'secret' | 'previous_secret' | 'previous_until'>,
  now: number,
): Promise<string[]> {
  const current = await secretOf(system, row)
  if (row.previous_secret === null || (row.previous_until ?? 0) <= now) return [current]
  return [current, await secretOf(system, { id: row.id, secret: row.previous_secret })]
}

export async function customHeaders(
  system: Keys,
  row: Pick<SubscriptionRow, 'id' | 'headers'>,
): Promise<Record<string, string>> {
  if (row.headers === null) return {}
  return JSON.parse(await unseal(system.dataKeys, bindingOf('headers', row.id), row.headers)) as Record<string, string>
}
