import { expect, test } from 'vitest'
import { Filters } from '../../../src/memory/filter/filter.ts'
import { simplify, type Simplified } from '../../../src/memory/filter/simplify-filter.ts'

const some = (...tags: string[]) => ({ tags })
const every = (...tags: string[]) => ({ tags, tags_match: 'all' })
const many = Array.from({ length: 33 }, (_, at) => `t${at}`)

/** `a|b`: any of the tags, `a&b`: all of them; `all`, `any` and `not` in front of brackets. */
function shown(node: Simplified): string {
  if ('all' in node) return `all(${node.all.map(shown).join(', ')})`
  if ('any' in node) return `any(${node.any.map(shown).join(', ')})`
  const { condition, holds } = node
  const text =
    'tags' in condition
      ? condition.tags.join(condition.match === 'any' ? '|' : '&')
      : 'oneOf' in condition
        ? condition.oneOf.join('|')
        : condition.is
  return holds ? text : `not(${text})`
}

test.each<[string, unknown, string]>([
  ['nothing is true', {}, 'all()'],
  ['values are distinct', { tags: ['b', 'a', 'b'], custom_id: { in: ['x', 'x'] } }, 'all(a|b, x)'],
  ['any under OR', { OR: [some('a', 'b'), some('b', 'c')] }, 'a|b|c'],
  ['all under AND', { AND: [every('a', 'b'), every('c')] }, 'a&b&c'],
  ['any under AND stays', { AND: [some('a', 'b'), some('c', 'd')] }, 'all(a|b, c|d)'],
  ['all under OR stays', { OR: [every('a', 'b'), every('c', 'd')] }, 'any(a&b, c&d)'],
  ['one tag is of either match', { AND: [some('a'), some('b'), every('c', 'd')] }, 'a&b&c&d'],
  ['any under NOT', { NOT: [some('a'), some('b', 'c')] }, 'not(a|b|c)'],
  ['all under NOT and OR', { OR: [{ NOT: every('a', 'b') }, { NOT: every('c') }] }, 'not(a&b&c)'],
  ['NOT twice', { NOT: { NOT: some('a', 'b') } }, 'a|b'],
  ['NOT of AND is OR of NOT', { NOT: { custom_id: 'x', tags: ['a'] } }, 'any(not(x), not(a))'],
  ['lists in lists', { AND: [{ AND: [{ custom_id: 'x' }] }, { custom_id: 'x' }, some('a')] }, 'all(x, a)'],
  ['more tags than an item has: false', every(...many), 'any()'],
  ['and its negation: true', { NOT: every(...many) }, 'all()'],
  ['false under AND', { AND: [{ custom_id: 'x' }, every(...many)] }, 'any()'],
  ['false under OR', { OR: [{ custom_id: 'x' }, every(...many)] }, 'x'],
  ['merged to more than an item has', { AND: [every(...many.slice(1)), every('t0'), { custom_id: 'x' }] }, 'any()'],
  ['in under OR', { OR: [{ custom_id: 'x' }, { custom_id: { in: ['y', 'x'] } }, { created_by: 'z' }] }, 'any(x|y, z)'],
  ['in under AND stays', { AND: [{ custom_id: 'x' }, { custom_id: { in: ['x', 'y'] } }] }, 'all(x, x|y)'],
  ['in under NOT', { NOT: [{ 'metadata.a': 1 }, { 'metadata.a': 2 }, { 'metadata.b': 3 }] }, 'all(not(1|2), not(3))'],
  ['33 tags of any stay', some(...many), many.toSorted().join('|')],
])('%s', (_, filter, expected) => {
  expect(shown(simplify(Filters.parse(filter)))).toBe(expected)
})
