import { expect, test } from 'vitest'
import fc from 'fast-check'
import { BoundedMap } from '../../../src/core/values/bounded-map.ts'

const filled = (...keys: string[]): BoundedMap<string, number> => {
  const map = new BoundedMap<string, number>(3)
  keys.forEach((key, at) => map.set(key, at))
  return map
}

test('past its number of entries the oldest one goes', () => {
  expect([...filled('a', 'b', 'c').keys()]).toEqual(['a', 'b', 'c'])
  expect([...filled('a', 'b', 'c', 'd').keys()]).toEqual(['b', 'c', 'd'])
})

test('an entry that is set again is the newest, and no other entry goes for it', () => {
  const map = filled('a', 'b', 'c', 'a')
  expect([...map]).toEqual([
    ['b', 1],
    ['c', 2],
    ['a', 3],
  ])
  expect([...map.set('d', 4).keys()]).toEqual(['c', 'a', 'd'])
})

test('a read alone leaves the order', () => {
  const map = filled('a', 'b', 'c')
  expect([map.get('a'), map.has('a')]).toEqual([0, true])
  expect([...map.set('d', 3).keys()]).toEqual(['b', 'c', 'd'])
})

test('a deleted entry makes room', () => {
  const map = filled('a', 'b', 'c')
  expect([map.delete('b'), map.delete('b')]).toEqual([true, false])
  expect([...map.set('d', 3).keys()]).toEqual(['a', 'c', 'd'])
})

test('a map for no entries keeps none', () => {
  expect(new BoundedMap<string, number>(0).set('a', 1).size).toBe(0)
})

test('a value is made once, null and other empty values too, and again after its entry went', () => {
  const made: string[] = []
  const map = new BoundedMap<string, number | null>(2)
  const get = (key: string, value: number | null) =>
    map.getOrMake(key, (asked) => {
      made.push(asked)
      return value
    })
  expect([get('a', null), get('a', 1), get('b', 0), get('b', 1)]).toEqual([null, null, 0, 0])
  expect([get('c', 2), get('a', 3)]).toEqual([2, 3])
  expect(made).toEqual(['a', 'b', 'c', 'a'])
})

test('a value that cannot be made leaves no entry', () => {
  const map = filled('a')
  expect(() =>
    map.getOrMake('b', () => {
      throw new Error('no value')
    }),
  ).toThrow('no value')
  expect([...map.keys()]).toEqual(['a'])
})

test('after any operations it holds the keys that were set last, oldest first', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'd', 'e')
  const step = fc.tuple(fc.constantFrom('set', 'get', 'delete'), key)
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 40 }), (most, steps) => {
      const map = new BoundedMap<string, string>(most)
      let model: string[] = []
      for (const [what, one] of steps) {
        if (what === 'set') model = [...model.filter((other) => other !== one), one].slice(-most)
        if (what === 'delete') model = model.filter((other) => other !== one)
        if (what === 'set') map.set(one, one)
        if (what === 'delete') map.delete(one)
        expect([map.get(one), [...map.keys()]]).toEqual([model.includes(one) ? one : undefined, model])
      }
    }),
  )
})
