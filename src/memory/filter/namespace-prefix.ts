import type { AuthContext, Principal } from '../../core/context.ts'
import { sql, type Sql } from '../../core/database/sql.ts'
import { permissionFor } from '../../identity/index.ts'
import { memberParams, membershipSql } from '../access.ts'

/**
 * A prefix names a namespace and those below it, behind a `:` (contract §3): `customer-1` is not the prefix of
 * `customer-17`. With a final `:` it names those below alone.
 */
export interface NamespacePrefix {
  /** The namespace itself; null where the prefix names those below it alone. */
  exact: string | null
  /** Those below it stand from here on, before `to`. */
  from: string
  to: string
}

/** Every character of a namespace is below the first and above the second (`src/core/namespace.ts`). */
const BEHIND_ALL = '~'
const BELOW_ALL = '!'

/** What `prefix` names; undefined: all namespaces. */
export function namespacePrefix(prefix: string | undefined): NamespacePrefix {
  if (prefix === undefined) return { exact: null, from: '', to: BEHIND_ALL }
  const below = prefix.endsWith(':')
  const base = below ? prefix.slice(0, -1) : prefix
  // `;` follows `:`.
  return { exact: below ? null : base, from: `${base}:`, to: `${base};` }
}

export const isBelow = ({ exact, from, to }: NamespacePrefix, name: string): boolean =>
  name === exact || (name >= from && name < to)

/** The namespace of the item `i` is one of the prefix. */
export const prefixSql = ({ exact, from, to }: NamespacePrefix): Sql =>
  sql('(i.namespace = :prefix_exact or (i.namespace >= :prefix_from and i.namespace < :prefix_to))', {
    prefix_exact: exact,
    prefix_from: from,
    prefix_to: to,
  })

/** The namespaces of a key that is limited to some of the project; null: it is not. */
export const permittedNamespaces = (principal: Principal, projectId: string): readonly string[] | null =>
  permissionFor(principal, projectId)?.namespaces ?? null

/** The least name that may stand behind this one; in JavaScript, and in SQL. */
export const behind = (name: string): string => name + BELOW_ALL
export const behindSql = (name: string): string => `${name} || '${BELOW_ALL}'`

/**
 * SQL: the first namespace of the project `m` with items, from one on and before another. One look into the index, however
 * many items there are.
 */
export const firstNamespace = (from: string, to: string): string => `
  (select i.namespace from memory_items i indexed by memory_items_by_namespace
  where i.deleted_at is null and i.project_id = m.id and i.namespace >= ${from} and i.namespace < ${to}
  order by i.namespace limit 1)`

/** More are not read one by one. */
export const MAX_PREFIX_NAMESPACES = 64

const BELOW = `
  with recursive m as materialized (${membershipSql()}),
  names(name) as (
    select ${firstNamespace(':from', ':to')} from m
    union all
    select ${firstNamespace(behindSql('names.name'), ':to')} from names cross join m where names.name is not null limit :rows)
  select name from names where name is not null`

/** The namespaces of a prefix, with or without items; null: there are too many to read one by one. */
export async function namespacesOf(
  ctx: AuthContext,
  projectId: string,
  { exact, from, to }: NamespacePrefix,
): Promise<string[] | null> {
  const rows = await ctx.db.all<{ name: string }>(BELOW, {
    ...memberParams(ctx),
    project: projectId,
    from,
    to,
    rows: MAX_PREFIX_NAMESPACES + 1,
  })
  const names = [...(exact === null ? [] : [exact]), ...rows.map(({ name }) => name)]
  return names.length > MAX_PREFIX_NAMESPACES ? null : names
}
