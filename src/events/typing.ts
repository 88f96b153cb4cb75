import { iso } from '../core/values/clock.ts'

/** A typing event expires this long after its publication (contract §5). */
export const TYPING_LIFE_MS = 10_000

/** Whether events of the type have no history and no retries (contract §5). */
export const isEphemeral = (type: string): boolean => type === 'typing.start' || type === 'typing.stop'

/** The data as it is published: `typing.start` says when clients treat the typing as stopped. */
export const withTypingExpiry = (type: string, data: Record<string, unknown>, now: number): Record<string, unknown> =>
  type === 'typing.start' ? { ...data, expires_at: iso(now + TYPING_LIFE_MS) } : data
