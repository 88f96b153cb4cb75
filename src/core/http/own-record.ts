import { z } from '@hono/zod-openapi'

/** `z.record`, which drops a member named `__proto__` without a word. This one refuses it. */
export const ownRecord = <K extends z.core.$ZodRecordKey, V extends z.core.SomeType>(key: K, value: V) =>
  z.preprocess(
    (given, context) => {
      refuseProto(given, context)
      return given
    },
    z.record(key, value),
  )

/** Reports a member named `__proto__`: a client that merges the object into another would set that one's prototype. */
export function refuseProto(given: unknown, context: z.RefinementCtx): void {
  if (given === null || typeof given !== 'object' || !Object.hasOwn(given, '__proto__')) return
  const message = '"__proto__" is not allowed as a key.'
  context.addIssue({ code: 'custom', path: ['__proto__'], message, params: { code: 'invalid_key' } })
}
