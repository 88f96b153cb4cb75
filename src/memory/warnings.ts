import { z } from '@hono/zod-openapi'
import { MAX_ERRORS } from '../core/http/error-size.ts'

const WarningSchema = z.object({
  path: z.string(),
  code: z.enum(['secret_found', 'secret_redacted']),
  kind: z.string().meta({ description: 'Such as `github_token`, `private_key` or `card`. New kinds appear.' }),
  start: z.int().meta({ description: 'In characters of the value as it was sent.' }),
  end: z.int(),
})
export type Warning = z.infer<typeof WarningSchema>

/** Members of an answer to a write. */
export const warningFields = {
  warnings: z
    .array(WarningSchema)
    .optional()
    .meta({ description: 'Only if the write held secrets: what was found and where, never the secret.' }),
  warnings_omitted: z
    .int()
    .optional()
    .meta({ description: `Warnings beyond the first ${MAX_ERRORS}.` }),
}
interface Warned {
  warnings?: Warning[] | undefined
  warnings_omitted?: number | undefined
}

/** As many warnings as an answer has; nothing where there is none. */
export const warned = (warnings: readonly Warning[]): Warned =>
  warnings.length === 0
    ? {}
    : {
        warnings: warnings.slice(0, MAX_ERRORS),
        ...(warnings.length > MAX_ERRORS ? { warnings_omitted: warnings.length - MAX_ERRORS } : {}),
      }
