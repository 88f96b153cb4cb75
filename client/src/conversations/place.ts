import { Recollect } from '../index.ts'
import { namespaceOf } from '../namespace.ts'
import type { CallOptions } from '../options.ts'
import { requireIds } from '../require-ids.ts'

/** Where a conversation is remembered and recalled. */
export interface Place extends Pick<CallOptions, 'timeoutMs' | 'signal' | 'maxRetries'> {
  /** By default a client of `RECOLLECT_URL` and `RECOLLECT_API_KEY`. */
  recollect?: Recollect
  /** Gives the user a memory of their own: the namespace `user:<id>`, and the subject. Default: the namespace `default`. */
  user?: string
  /** Stands before what `user` says. */
  context?: { project_id?: string; namespace?: string; session_id?: string; subject?: string }
}

/** Throws a TypeError for an empty id, because all users without one would share a memory. */
export function requirePlace({ user, context }: Place): void {
  requireIds({ user, ...context })
}

export async function contextOf({ user, context }: Place): Promise<NonNullable<Place['context']>> {
  return user === undefined ? { ...context } : { namespace: await namespaceOf('user', user), subject: user, ...context }
}

export const clientOf = ({ recollect = new Recollect() }: Place): Recollect => recollect

/** The options of the calls that a function makes. */
export const callOptionsOf = ({ timeoutMs, signal, maxRetries }: Place): CallOptions => ({
  ...(timeoutMs === undefined ? {} : { timeoutMs }),
  ...(signal === undefined ? {} : { signal }),
  ...(maxRetries === undefined ? {} : { maxRetries }),
})
