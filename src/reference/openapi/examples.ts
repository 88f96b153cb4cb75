import type { z } from '@hono/zod-openapi'
import type { EndpointSpec } from '../../core/http/endpoint.ts'

/** A body of the document: its schema, and what it looks like. */
export const content = (schema: z.ZodType, example: unknown) => ({
  schema,
  ...(example === undefined ? {} : { example }),
})

/** The example of the answer with this status. */
export const exampleReply = ({ example }: EndpointSpec, status: string): unknown =>
  example.replies?.[Number(status)] ?? (status < '300' ? example.reply : undefined)

/** Adds each parameter's example to it. */
export function withExamples(
  schema: z.ZodObject,
  examples: Readonly<Record<string, string | number>> = {},
): z.ZodObject {
  const shape = Object.entries(examples).map(([name, example]) => [
    name,
    (schema.shape[name] as z.ZodType).openapi({ param: { example } }),
  ])
  return schema.safeExtend(Object.fromEntries(shape))
}
