/** Filters of a search of the service (contract §3). */
export type Filters = Record<string, unknown>

const COMPARISONS: Record<string, string> = { $gt: '>', $gte: '>=', $lt: '<', $lte: '<=' }

/**
 * The filter of a search in LangGraph's language as conditions on `metadata.value`: a value, or `$eq $ne $gt $gte $lt $lte
 * $in $nin`. Throws a TypeError for what the service cannot compare: objects, lists, and names with a dot or a quote.
 */
export function filtersOf(filter: Record<string, unknown> = {}): Filters[] {
  return Object.entries(filter).flatMap(([name, wanted]) => {
    if (!/^[^".\\\p{Cc}]{1,128}$/u.test(name)) throw new TypeError(`A filter cannot name "${name}".`)
    const path = `metadata.value.${name}`
    if (isPlain(wanted)) return [{ [path]: wanted }]
    if (typeof wanted !== 'object' || wanted === null || Array.isArray(wanted)) throw unusable(name, wanted)
    return Object.entries(wanted).map(([operator, operand]) => conditionOf(path, operator, operand))
  })
}

function conditionOf(path: string, operator: string, operand: unknown): Filters {
  const comparison = COMPARISONS[operator]
  if (comparison !== undefined && (typeof operand === 'number' || typeof operand === 'string'))
    return { [path]: { [comparison]: operand } }
  if (operator === '$eq' && isPlain(operand)) return { [path]: operand }
  if (operator === '$ne' && isPlain(operand)) return { NOT: { [path]: operand } }
  if (operator === '$in' && isPlainList(operand)) return { [path]: { in: operand } }
  if (operator === '$nin' && isPlainList(operand)) return { NOT: { [path]: { in: operand } } }
  throw unusable(operator, operand)
}

const isPlain = (value: unknown): boolean =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

const isPlainList = (value: unknown): boolean => Array.isArray(value) && value.length > 0 && value.every(isPlain)

const unusable = (name: string, value: unknown): TypeError =>
  new TypeError(`A filter cannot compare ${name} with ${JSON.stringify(value)}.`)
