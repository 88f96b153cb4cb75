import { vi } from 'vitest'

/** A message as the queue hands it to its consumer, with spies in place of `ack` and `retry`. */
export const messageOf = (body: unknown) => ({
  id: 'm',
  body,
  attempts: 1,
  sentAt: 0,
  ack: vi.fn<() => void>(),
  retry: vi.fn<() => void>(),
})
