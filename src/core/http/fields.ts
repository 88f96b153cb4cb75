import { z } from '@hono/zod-openapi'
import { codePoints } from '../values/code-points.ts'
import { isId, type IdPrefix } from '../values/ids.ts'
import { inNormalForm } from '../values/normal-form.ts'

/** Schemas that several features share. Characters are Unicode code points (contract §1). */

/** A string of `min` to `max` code points. */
export const text = (min: number, max: number) => ofLength(z.string(), min, max)

/**
 * A name that the caller gives, of 1 to `max` code points. It comes in the form NFC, so that canonically equal names are one
 * name wherever they are stored or asked for.
 */
export const name = (max: number) => ofLength(z.string().overwrite(inNormalForm(max)), 1, max)

const ofLength = (string: z.ZodString, min: number, max: number) =>
  string
    .refine((value) => lengthIn(value, min, max), {
      message: `must have ${min === 0 ? 'at most' : `${min} to`} ${max} characters`,
      params: { code: 'wrong_length' },
    })
    .meta({ minLength: min, maxLength: max })

function lengthIn(value: string, min: number, max: number): boolean {
  if (value.length < min || value.length > max * 2) return false
  if (value.length <= max && min <= 1) return value.length >= min
  const count = codePoints(value)
  return count >= min && count <= max
}

/** An identifier that the caller names. A malformed one is as absent as an unknown one, so only its size is checked. */
export const anyId = z.string().min(1).max(64)

/** An identifier in an answer. */
export const idOf = (prefix: IdPrefix) =>
  z
    .string()
    .refine((value) => isId(prefix, value))
    .meta({ pattern: `^${prefix}_[0-7][0-9A-HJKMNP-TV-Z]{25}$`, examples: [`${prefix}_01K8E3Z4T7Q9V6N2M5B8C1D0FG`] })

export const timestamp = z.string().meta({ format: 'date-time', examples: ['2026-11-21T09:30:00.000Z'] })

/** A member that is there only where it is true. Generators cannot read an enumeration of one boolean. */
export const onlyTrue = z.literal(true).meta({ type: 'boolean' })

/** JSON lines. OpenAPI 3.1 has no schema for one line, and generators read a schema as that of the whole body: a file. */
export const jsonLines = (description: string) => z.string().meta({ format: 'binary', description })

export const IdParams = z.strictObject({ id: anyId })
