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
  'memory.ingest',
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

/** The limits that a deployment sets by its settings, by class of accounts, and the factor of all limits. */
export interface DeploymentLimits {
  variables: Record<'users' | 'service_accounts', LimitValues>
  factor: number
}
