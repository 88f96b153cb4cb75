import { z } from '@hono/zod-openapi'
import { text } from '../../core/http/fields.ts'
import { Namespace } from '../../core/namespace.ts'
import { utf8 } from '../../core/values/encoding.ts'
import { ITEM_SCOPES, MAX_TAG_CHARACTERS, MAX_TTL_SECONDS } from '../../core/values/items.ts'

const MAX_RULES = 20
const MAX_RULE_TAGS = 16
/** Each insert of an item parses the rules. */
const MAX_RETENTION_BYTES = 8 * 1024

const Ttl = z.int().min(1).max(MAX_TTL_SECONDS)

const Rule = z
  .strictObject({
    namespace_prefix: Namespace.optional().meta({
      description: 'Items in this namespace and those below it. With a trailing `:`, only those below it.',
    }),
    tags: z
      .array(
        z
          .string()
          .trim()
          .pipe(text(1, MAX_TAG_CHARACTERS))
          .meta({ minLength: 1, maxLength: MAX_TAG_CHARACTERS, pattern: '\\S' }),
      )
      .min(1)
      .max(MAX_RULE_TAGS)
      .optional()
      .meta({ description: 'Items with one of these tags.' }),
    scope: z.enum(ITEM_SCOPES).optional().meta({ description: 'Items with this scope.' }),
    default_ttl: Ttl.optional().meta({
      description: 'Seconds that a new item without a `ttl` gets, unless it has the tag `pinned`.',
    }),
    max_ttl: Ttl.optional().meta({ description: 'The longest `ttl`. A longer one, and none, become it.' }),
  })
  .refine(({ default_ttl = 0, max_ttl = MAX_TTL_SECONDS }) => default_ttl <= max_ttl, {
    path: ['default_ttl'],
    message: 'default_ttl must not be longer than max_ttl.',
    params: { code: 'invalid_combination' },
  })
  .openapi('RetentionRule')

/** How long items of a project are kept. The first rule that fits an item decides; one without a ttl exempts. */
export const Retention = z
  .array(Rule)
  .max(MAX_RULES)
  .refine((rules) => utf8(JSON.stringify(rules)).byteLength <= MAX_RETENTION_BYTES, {
    message: `must have at most ${MAX_RETENTION_BYTES} bytes as JSON`,
    params: { code: 'too_large' },
  })
  .meta({ description: 'Rules for the expiry of items, the first that fits decides. They act on later writes.' })
export type Retention = z.output<typeof Retention>

/** The value of the column: null for no rule, so that an insert sees without JSON that there is none. */
export const toColumn = (rules: Retention): string | null => (rules.length === 0 ? null : JSON.stringify(rules))
export const fromColumn = (column: string | null): Retention =>
  column === null ? [] : (JSON.parse(column) as Retention)
