import type { Condition, Filter, TagCondition } from './filter.ts'
import { MAX_TAGS } from '../item.ts'

/** A condition of a simplified filter, or its negation. */
export type Literal = { condition: Condition; holds: boolean }
/** A simplified filter. An empty `all` is true, an empty `any` is false; neither stands below another node. */
export type Simplified = { all: Simplified[] } | { any: Simplified[] } | Literal

const TRUE: Simplified = { all: [] }
const FALSE: Simplified = { any: [] }

/**
 * The same filter with fewer conditions: NOT stands at conditions only, nested lists of one kind are one list, values
 * and conditions are distinct, and tag conditions that one condition can replace are one.
 */
export function simplify(filter: Filter, holds = true): Simplified {
  if ('not' in filter) return simplify(filter.not, !holds)
  if ('all' in filter) return join(filter.all, holds ? 'all' : 'any', holds)
  if ('any' in filter) return join(filter.any, holds ? 'any' : 'all', holds)
  return simplifyCondition(filter, holds)
}

function simplifyCondition(condition: Condition, holds: boolean): Simplified {
  if ('field' in condition) return { condition: { ...condition, oneOf: [...new Set(condition.oneOf)] }, holds }
  if ('oneOf' in condition) return { condition: { ...condition, oneOf: [...new Set(condition.oneOf)] }, holds }
  if (!('tags' in condition)) return { condition, holds }
  const tags = [...new Set(condition.tags)].toSorted()
  // No item has as many tags as the condition asks for.
  if (condition.match === 'all' && tags.length > MAX_TAGS) return holds ? FALSE : TRUE
  return { condition: { tags, match: condition.match }, holds }
}

/** AND (`all`) or OR (`any`) of filters, each negated where `holds` is false. */
function join(filters: readonly Filter[], kind: 'all' | 'any', holds: boolean): Simplified {
  const [neutral, decisive] = kind === 'all' ? [TRUE, FALSE] : [FALSE, TRUE]
  const simplified = filters.flatMap((filter) => membersOf(simplify(filter, holds), kind))
  const members = mergeValues(mergeTags(simplified, kind), kind)
  if (members.some((member) => same(member, decisive))) return decisive
  const distinct = [...new Map(members.map((member) => [JSON.stringify(member), member])).values()]
  const [only] = distinct
  if (!only) return neutral
  return distinct.length === 1 ? only : kind === 'all' ? { all: distinct } : { any: distinct }
}

const same = (a: Simplified, b: Simplified): boolean => JSON.stringify(a) === JSON.stringify(b)

function membersOf(node: Simplified, kind: 'all' | 'any'): Simplified[] {
  if (kind === 'all') return 'all' in node ? node.all : [node]
  return 'any' in node ? node.any : [node]
}

/**
 * Merges tag conditions: two `any` under OR become one `any`, two `all` under AND become one `all`. Negated conditions
 * merge the other way round (De Morgan). A condition on one tag counts as either.
 */
function mergeTags(members: readonly Simplified[], kind: 'all' | 'any'): Simplified[] {
  const merged = new Map<boolean, string[]>()
  const others = members.filter((member) => {
    if (!('condition' in member) || !('tags' in member.condition)) return true
    const { condition, holds } = member
    if (condition.tags.length > 1 && condition.match !== mergeable(kind, holds)) return true
    merged.set(holds, [...(merged.get(holds) ?? []), ...condition.tags])
    return false
  })
  const tagged = [...merged].map(([holds, tags]) =>
    simplifyCondition({ tags, match: mergeable(kind, holds) } satisfies TagCondition, holds),
  )
  // A merged condition may be decided, and then adds its members: none, or the constant itself.
  return [...others, ...tagged.flatMap((node) => membersOf(node, kind))]
}

const mergeable = (kind: 'all' | 'any', holds: boolean): 'all' | 'any' => (holds === (kind === 'all') ? 'all' : 'any')

/** `in` of one list or of another, for the same column or path, is `in` of both; negated ones merge under AND. */
function mergeValues(members: readonly Simplified[], kind: 'all' | 'any'): Simplified[] {
  const byTarget = Map.groupBy(members, (member) => {
    if (!('condition' in member) || !('oneOf' in member.condition) || member.holds !== (kind === 'any')) return member
    return 'field' in member.condition ? member.condition.field : member.condition.metadata
  })
  return [...byTarget.values()].flatMap((same) => {
    const [first] = same
    if (same.length === 1 || !first || !('condition' in first) || !('oneOf' in first.condition)) return same
    const oneOf = same.flatMap((one) => ('condition' in one && 'oneOf' in one.condition ? one.condition.oneOf : []))
    return [{ condition: { ...first.condition, oneOf: [...new Set(oneOf)] } as Condition, holds: first.holds }]
  })
}
