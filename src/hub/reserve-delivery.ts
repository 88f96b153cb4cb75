/** What the hub remembers of one subscription: the newest instants, oldest first, at most as many as the limit. */
export interface Reservations {
  /** When attempts were let through. */
  sent: readonly number[]
  /** The places that were handed out, those in the future too. */
  booked: readonly number[]
}

export const NO_RESERVATIONS: Reservations = { sent: [], booked: [] }

/**
 * Finds the next place for an attempt: now, or the instant to come back at. Whoever comes back holds a booking and
 * goes first, unless latecomers have filled the window: within any window not one more than `limit` is let through,
 * whenever messages arrive. Pure.
 */
export function reserve(
  { sent, booked }: Reservations,
  { limit, windowMs }: { limit: number; windowMs: number },
  now: number,
  isReserved: boolean,
): { at: number; slots: Reservations } {
  const freeAfter = (times: readonly number[]): number => {
    const oldest = times.at(-limit)
    return oldest === undefined ? now : Math.max(now, oldest + windowMs)
  }
  const allowed = freeAfter(sent)
  const next = Math.max(allowed, freeAfter(booked), booked.at(-1) ?? now)
  const at = isReserved && allowed === now ? now : next
  const add = (times: readonly number[]): number[] => [...times, at].slice(-limit)
  return {
    at,
    slots: { sent: at === now ? add(sent) : sent, booked: at === now && isReserved ? booked : add(booked) },
  }
}
