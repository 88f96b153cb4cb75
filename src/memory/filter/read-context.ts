import { z } from '@hono/zod-openapi'
import { anyId } from '../../core/http/fields.ts'
import { Namespace } from '../../core/namespace.ts'
import { ContextId } from '../item.ts'
import { Subject } from '../subject.ts'
import { ITEM_SCOPES } from '../../core/values/items.ts'

/** Names, in reads, all namespaces that the credential may read. */
export const ALL_NAMESPACES = '*'
/** Namespaces that one read names. */
export const MAX_NAMESPACES = 16

const Namespaces = z
  .array(Namespace)
  .min(1)
  .max(MAX_NAMESPACES)
  .meta({ description: 'Instead of `namespace`. Namespaces that the credential cannot read are skipped.' })

export const PREFIX_DESCRIPTION =
  'This namespace and those below it, separated by `:`. With a trailing `:`, only those below it.'

const NAMED_BY = ['namespace', 'namespaces', 'namespace_prefix'] as const

/** For `superRefine`: at most one field names the namespaces. */
export function oneWayToNameNamespaces(
  input: { [field in (typeof NAMED_BY)[number]]?: string | string[] | undefined },
  context: z.RefinementCtx,
): void {
  const [, second] = NAMED_BY.filter((field) => input[field] !== undefined)
  if (second === undefined) return
  const message = 'Send only one of namespace, namespaces and namespace_prefix.'
  context.addIssue({ code: 'custom', path: [second], message, params: { code: 'invalid_combination' } })
}

const readContextFields = {
  project_id: anyId.optional(),
  scope: z.enum(ITEM_SCOPES).optional(),
  namespace: z.union([Namespace, z.literal(ALL_NAMESPACES)]).optional(),
  namespace_prefix: Namespace.optional().meta({ description: `Instead of \`namespace\`. ${PREFIX_DESCRIPTION}` }),
  conversation_id: ContextId.optional(),
  document_id: ContextId.optional(),
  session_id: ContextId.optional(),
  subject: Subject.optional(),
}

/** The context of a search or a bulk deletion. The namespace may be `*` (contract §3). */
export const ReadContext = z
  .strictObject({ ...readContextFields, namespaces: Namespaces.optional() })
  .superRefine(oneWayToNameNamespaces)
export type ReadContextInput = z.output<typeof ReadContext>

/** `ReadContext` as parameters of a list or an export, where `namespaces` is repeated. */
export const readContextQuery = {
  ...readContextFields,
  namespaces: z.union([Namespace.transform((name) => [name]), Namespaces]).optional(),
}
