import { nearName } from './values/near-name.ts'
import { LIMITS, type LimitName } from './limits.ts'

/**
 * The limits that an operator can set. The hub of one user counts each of them. Limits of addresses and applications
 * guard passwords and are counted by shared objects: they stay as in the table.
 */
export const SETTABLE = [
  'memory.store',
  'memory.retrieve',
  'memory.search',
  'memory.batch',
  'api-key',
  'events.publish',
  'events.refused',
  'events.subscribe',
  'events.delivery',
  'read',
  'write',
] as const satisfies readonly LimitName[]

export type SettableName = (typeof SETTABLE)[number]

export const isSettable = (name: string): name is SettableName => SETTABLE.some((one) => one === name)

export const MAX_PERMITS_A_SECOND = 1_000
/** A window remembers the instant of each permit, so an hour can hold no more of them than a minute. */
export const MAX_PERMITS_A_WINDOW = 60_000

/** The highest value of a limit: permits in its window. */
export const maxPermits = (name: SettableName): number =>
  Math.min((MAX_PERMITS_A_SECOND * LIMITS[name].windowMs) / 1_000, MAX_PERMITS_A_WINDOW)

export const isPermits = (name: SettableName, value: number): boolean =>
  Number.isInteger(value) && value >= 1 && value <= maxPermits(name)

export type LimitValues = Partial<Record<SettableName, number>>

/** Reads `memory.search=50, api-key=100`. A fault is a sentence that does not quote the text. With any fault, no limit is set. */
export function parseLimits(variable: string, text: string): { limits: LimitValues; faults: string[] } {
  const limits: LimitValues = {}
  const faults: string[] = []
  for (const part of text.split(/[\s,]+/).filter(Boolean)) {
    const [name = '', value = ''] = part.split('=')
    if (!isSettable(name))
      faults.push(`${variable} names ${JSON.stringify(name)}, which is not a limit${meantBy(name)}`)
    else if (!/^\d+$/.test(value) || !isPermits(name, Number(value)) || part.split('=').length !== 2)
      faults.push(`${variable} must set ${name} to a whole number from 1 to ${maxPermits(name)}`)
    else if (limits[name] !== undefined) faults.push(`${variable} names ${name} twice`)
    else limits[name] = Number(value)
  }
  return faults.length > 0 ? { limits: {}, faults } : { limits, faults }
}

function meantBy(name: string): string {
  const meant = nearName(name, SETTABLE)
  return meant === null ? ` that can be set (${SETTABLE.join(', ')})` : `: did you mean ${meant}?`
}

/** The variables that set limits of the deployment, of all users and of service accounts. */
export const LIMIT_VARIABLES = { users: 'LIMITS', service_accounts: 'SERVICE_ACCOUNT_LIMITS' } as const
