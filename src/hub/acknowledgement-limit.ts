import type { SocketState } from './socket-state.ts'

/** A client that acknowledges may leave as many events unacknowledged (contract §5). */
export const MAX_UNACKNOWLEDGED = 1_000

/**
 * Only a client that acknowledges can fall behind, because nothing else tells how far it has read.
 * Events of a resume do not count: they may exceed the bound, and after a close all of them would be sent again.
 */
export const isBehind = ({ sent, replayed, acknowledged }: Pick<SocketState, 'sent' | 'replayed' | 'acknowledged'>) =>
  acknowledged !== null && sent - Math.max(acknowledged, replayed) >= MAX_UNACKNOWLEDGED
