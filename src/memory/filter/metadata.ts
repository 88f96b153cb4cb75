import { z } from '@hono/zod-openapi'
import { invalid } from '../../core/errors.ts'
import { utf8 } from '../../core/values/encoding.ts'

const MAX_BYTES = 16 * 1024
const MAX_DEPTH = 8

/** `content.metadata`: an object of at most 16 KiB as JSON and depth 8 (contract §3), kept as it came. */
export const MetadataField = z
  .custom<Record<string, unknown>>((value) => value !== null && typeof value === 'object' && !Array.isArray(value), {
    message: 'must be an object',
  })
  .superRefine((value, issues) => {
    const fault = metadataFault(value)
    if (fault) issues.addIssue({ code: 'custom', message: fault.message, params: { code: fault.code } })
  })
  .meta({ type: 'object', additionalProperties: true, description: 'At most 16 KiB as JSON, depth 8.' })

/**
 * Stored metadata with the changes of `merge_metadata`: each key of `changes` replaces the one that is stored, and null
 * removes it. `stored` and the answer are JSON texts. 422 where the result breaks the bounds.
 */
export function mergeMetadata(stored: string, changes: Record<string, unknown>): string {
  const merged = Object.entries({ ...(JSON.parse(stored) as object), ...changes })
  const result = Object.fromEntries(merged.filter(([key]) => changes[key] !== null)) as Record<string, unknown>
  const fault = metadataFault(result)
  if (fault) throw invalid('content.metadata', fault.code, `The merged metadata ${fault.message}.`)
  return JSON.stringify(result)
}

/** Why the metadata is refused, or null. It goes level by level, since a client's JSON may be too deep to recurse. */
function metadataFault(root: Record<string, unknown>): { code: string; message: string } | null {
  let level: unknown[] = [root]
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return { code: 'too_deep', message: `must have at most ${MAX_DEPTH} levels` }
    const next: unknown[] = []
    for (const node of level) {
      // A client that merges metadata into an object would set that object's prototype.
      if (Object.hasOwn(node as object, '__proto__'))
        return { code: 'invalid_key', message: '"__proto__" is not allowed as a key.' }
      for (const member of Object.values(node as object)) {
        if (typeof member === 'number' && !Number.isFinite(member)) {
          return { code: 'invalid_number', message: 'A number is too large to be stored.' }
        }
        if (member !== null && typeof member === 'object') next.push(member)
      }
    }
    level = next
  }
  return utf8(JSON.stringify(root)).byteLength > MAX_BYTES
    ? { code: 'too_large', message: `must have at most ${MAX_BYTES} bytes as JSON` }
    : null
}
