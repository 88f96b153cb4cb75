import type { AuthContext } from '../context.ts'

/** How an endpoint takes an `Idempotency-Key`, and what it answers to a repeated request (contract §1). */
export type Idempotency = (
  | {
      /**
       * `committed`: the verb's one commit takes and settles the key (`committedKey`); `claimed`: the pipeline claims it
       * before, and the verb's one commit settles it (`settleStatement`).
       */
      mode: 'committed' | 'claimed'
    }
  | {
      /** The verb commits in several steps, each with its progress. The pipeline claims the key before and settles it after. */
      mode: 'resumed'
      /** The part of the result that the key keeps. */
      resource(result: never): string
    }
) & {
  /**
   * The resource as it is now, or a `Reply` for its headers (the status is the first one's). Throws 404 where it is gone.
   * A secret that is shown once is null (`withoutSecret`). Only `events/subscriptions/rotate-secret.ts` answers the real one: its secret can
   * be read at any time.
   */
  replay(ctx: AuthContext, resource: string): Promise<unknown>
}

/** The replay of a resource whose secret, the field of that name, is shown once. */
export const withoutSecret = <T extends object, F extends string>(resource: T, field: F): T & Record<F, null> => ({
  ...resource,
  ...({ [field]: null } as Record<F, null>),
})
