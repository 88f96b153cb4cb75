/** The reservations of one subscription: the newest instants, oldest first, at most as many as the limit. */
export interface Reservations {
  /** When attempts were admitted. */
  sent: readonly number[]
  /** The instants that were reserved, future ones included. */
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
  const add = (times: readonly number[]): number[] => [...times, at].slice(-limit)
  return {
    at,
    reservations: {
      sent: at === now ? add(sent) : sent,
      reserved: at === now && holdsReservation ? reserved : add(reserved),
    },
  }
}
