import { z } from '@hono/zod-openapi'

/** By the schema that has both forms. */
const shortForms = new WeakMap<z.ZodType, z.ZodObject>()

/**
 * The schema of a resource that a write answers: whole, or in its short form to a caller who may not read it (contract §2).
 * The short form has those fields alone that hold nothing that somebody has stored.
 */
export function wholeOrShort<W extends z.ZodObject>(
  name: string,
  whole: W,
  fields: readonly (keyof z.infer<W> & string)[],
): z.ZodType {
  const shape: Record<string, z.ZodType> = Object.fromEntries(
    fields.map((field) => [field, whole.shape[field] as z.ZodType]),
  )
  const short = z
    .object(shape)
    .openapi(`${name}Written`, { description: 'The answer to a write by a caller who may not read the resource.' })
  const either = z.union([whole, short]).openapi(`${name}OrWritten`)
  shortForms.set(either, short)
  return either
}

/** The short form of what `wholeOrShort` has made; undefined for every other schema. */
export const shortFormOf = (schema: z.ZodType | null | undefined): z.ZodObject | undefined =>
  schema ? shortForms.get(schema) : undefined

/** Resources that running requests have made. They are known by identity. */
const madeByRequest = new WeakSet<object>()

/** Marks a resource that the request has made: all that it holds came with the request, so its caller sees it whole. */
export function asNew<T extends object>(resource: T): T {
  madeByRequest.add(resource)
  return resource
}

/** Whether the request has made a resource. */
export const isNew = (resource: object): boolean => madeByRequest.has(resource)

/** An answer with each resource in its short form, unless the request has made it. */
export function shortened(schema: z.ZodType, body: unknown): unknown {
  const short = shortFormOf(schema)
  if (short) return isObject(body) && madeByRequest.has(body) ? body : short.parse(body)
  if (schema instanceof z.ZodOptional && body !== undefined) return shortened(schema.unwrap() as z.ZodType, body)
  if (schema instanceof z.ZodArray && Array.isArray(body))
    return body.map((one) => shortened(schema.element as z.ZodType, one))
  if (!(schema instanceof z.ZodObject) || !isObject(body)) return body
  const shape: Record<string, z.ZodType> = schema.shape
  const named = Object.entries(body).flatMap(([name, value]): [string, unknown][] =>
    shape[name] ? [[name, shortened(shape[name], value)]] : [],
  )
  return Object.fromEntries(named)
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
