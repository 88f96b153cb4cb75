import { emptyMessage, type AuditMessage, type RequestOutcome } from '../../src/audit/message.ts'
import { addDuration, hourKey } from '../../src/audit/request-hours.ts'
import { storeMessages } from '../../src/audit/store.ts'
import type { Principal } from '../../src/core/context.ts'
import { ctxOf } from './search.ts'
import { home, system, type Tenant } from './world.ts'

type Measured = Parameters<typeof hourKey>[1]

/** Requests that a user made, all alike, with the duration of each. */
export interface Made extends Partial<Omit<Measured, 'principal'>> {
  user: Tenant
  at: number
  durations: number[]
  credential?: Partial<Principal['credential']>
}

/** The message that an isolate sends of these requests. */
export function messageOf(all: readonly Made[]): AuditMessage {
  const hours: Record<string, number[]> = {}
  for (const { user, at, durations, credential, ...made } of all) {
    const { principal } = ctxOf(user)
    const own = { ...principal.credential, kind: 'key', id: user.keyId, ...credential } as const
    const measured = {
      operation: 'memory.store',
      outcome: 'ok',
      projectId: user.projectId,
      pageRead: false,
      ...made,
    } as const
    const key = hourKey(at, { principal: { ...principal, credential: own }, ...measured })
    for (const duration of durations) addDuration(hours, key, duration)
  }
  return { ...emptyMessage(), id: system.newId('aud'), hours }
}

export const storeRequests = (...all: Made[]): Promise<void> => storeMessages(system, home, [messageOf(all)])

/** Requests of one operation in the step of five minutes that begins at `at`, by how they ended (`/v1/usage`). */
export const storeCounts = (
  user: Tenant,
  at: number,
  operation: string,
  byOutcome: Partial<Record<RequestOutcome, number>>,
): Promise<void> => {
  const counts = Object.entries(byOutcome).map(([outcome, count]) => [
    [user.tenantId, user.userId, operation, outcome, at].join(' '),
    count,
  ])
  return storeMessages(system, home, [
    { ...emptyMessage(), id: system.newId('aud'), counts: Object.fromEntries(counts) },
  ])
}
