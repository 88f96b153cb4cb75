/** The reservations of one subscription, oldest first. */
export interface Reservations {
  /** When attempts were admitted: all of the window, so that a limit may be raised after it was lowered. */
  sent: readonly number[]
  /** The newest instants that were reserved, future ones included: at most as many as the limit. */
  reserved: readonly number[]
}

export const NO_RESERVATIONS: Reservations = { sent: [], reserved: [] }

/**
 * Finds the instant of an attempt: now, or when to come back. An attempt that comes back holds a reservation and goes first,
 * unless late attempts have filled the window. No window admits more than `limit` attempts, whenever they come. Pure.
 */
export function reserveDelivery(
  { sent, reserved }: Reservations,
  { limit, windowMs }: { limit: number; windowMs: number },
  now: number,
  holdsReservation: boolean,
): { at: number; reservations: Reservations } {
  const freeAfter = (times: readonly number[]): number => {
    const oldest = times.at(-limit)
    return oldest === undefined ? now : Math.max(now, oldest + windowMs)
  }
  const admittedAt = freeAfter(sent)
  const next = Math.max(admittedAt, freeAfter(reserved), reserved.at(-1) ?? now)
  const at = holdsReservation && admittedAt === now ? now : next
  return {
    at,
    reservations: {
      sent: at === now ? [...sent.filter((time) => time > now - windowMs), at] : sent,
      reserved: at === now && holdsReservation ? reserved : [...reserved, at].slice(-limit),
    },
  }
}
