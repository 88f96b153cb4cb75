import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasNormalNames, normalNames, renamings, type NamedItem } from '../../../src/memory/names/normal-names.ts'

const NFC = 'r\u00E9sum\u00E9.md'
const NFD = NFC.normalize('NFD')
const MIXED = 're\u0301sum\u00E9.md'

const item = (row: number, changes: Partial<NamedItem> = {}): NamedItem => ({
  row,
  id: `mem_${String(row).padStart(26, '0')}`,
  write_id: `req_${row}`,
  project_id: 'prj_1',
  namespace: 'default',
  retired_at: null,
  updated_at: row,
  custom_id: null,
  conversation_id: null,
  document_id: null,
  session_id: null,
  tags: '[]',
  ...changes,
})
const idsByName = (items: readonly NamedItem[], holders: readonly NamedItem[] = []) =>
  Object.fromEntries(renamings(items, holders).map(({ id, custom_id }) => [id, custom_id]))

describe('the names of one item', () => {
  test('each name is in the form NFC; tags that become one are one, in their order', () => {
    const names = { custom_id: NFD, conversation_id: NFD, document_id: NFD, session_id: NFD }
    const tags = JSON.stringify(['b', NFD, 'a', NFC, MIXED])
    expect(hasNormalNames({ ...names, tags })).toBe(false)
    expect(normalNames({ ...names, tags })).toEqual({
      custom_id: NFC,
      conversation_id: NFC,
      document_id: NFC,
      session_id: NFC,
      tags: JSON.stringify(['b', NFC, 'a']),
    })
  })

  test.each(['custom_id', 'conversation_id', 'document_id', 'session_id'] as const)('%s alone makes it due', (name) => {
    expect(hasNormalNames(item(1, { [name]: NFD }))).toBe(false)
    expect(hasNormalNames(item(1, { [name]: NFC }))).toBe(true)
  })

  test('names of ASCII, null and tags with escapes are in that form', () => {
    expect(hasNormalNames(item(1, { custom_id: 'a', tags: JSON.stringify(['"', '\u0001', '\\']) }))).toBe(true)
  })
})

describe('items whose names become one', () => {
  test('an item whose name nobody else has gets it in NFC', () => {
    expect(idsByName([item(1, { custom_id: NFD })])).toEqual({ [item(1).id]: NFC })
  })

  test('the item that changed last gets the name, the other one its id behind it', () => {
    const [older, newer] = [item(1, { custom_id: NFC }), item(2, { custom_id: NFD })]
    expect(idsByName([newer], [older])).toEqual({ [newer.id]: NFC, [older.id]: `${NFC}#${older.id}` })
    const changed = { ...older, updated_at: 3 }
    expect(idsByName([newer], [changed])).toEqual({ [newer.id]: `${NFC}#${newer.id}` })
  })

  test('of several forms one gets the name; another namespace or project has names of its own', () => {
    const some = [item(1, { custom_id: MIXED }), item(2, { custom_id: NFD }), item(3, { custom_id: NFC })]
    const others = [item(4, { custom_id: NFD, namespace: 'n' }), item(5, { custom_id: NFD, project_id: 'prj_2' })]
    expect(idsByName([some[0]!, some[1]!, ...others], [some[2]!])).toEqual({
      [some[0]!.id]: `${NFC}#${some[0]!.id}`,
      [some[1]!.id]: `${NFC}#${some[1]!.id}`,
      [others[0]!.id]: NFC,
      [others[1]!.id]: NFC,
    })
  })

  test('a name that must make room is cut, and stays within 128 characters', () => {
    const long = '\u00E9'.repeat(128)
    const [one, two] = [item(1, { custom_id: long.normalize('NFD') }), item(2, { custom_id: long })]
    const name = idsByName([one], [two])[one.id] ?? ''
    expect(name.endsWith(`\u00E9#${one.id}`)).toBe(true)
    expect(Array.from(name)).toHaveLength(128)
  })

  test('an item that gives its name up names the one that gets it, as both were read', () => {
    const [older, newer] = [item(1, { custom_id: NFC }), item(2, { custom_id: NFD })]
    const [taking, giving] = renamings([newer], [older])
    expect(taking).toMatchObject({ id: newer.id, write_id: 'req_2', instead_of: null })
    expect(giving).toMatchObject({ id: older.id, write_id: 'req_1', instead_of: { id: newer.id, write_id: 'req_2' } })
  })

  test('whatever the forms are, no name is lost, none stands twice, and all are in NFC', () => {
    const name = fc.constantFrom(NFC, NFD, MIXED, '\u212B', '\u00C5', 'A\u030A', 'a', null)
    const items = fc
      .array(fc.record({ custom_id: name, namespace: fc.constantFrom('a', 'b'), updated_at: fc.nat(3) }), {
        maxLength: 12,
      })
      .map((some) => {
        const all = some.map((one, at) => item(at + 1, one))
        // What the unique index lets stand.
        return [
          ...new Map(
            all.map((one) => [one.custom_id === null ? one.id : `${one.namespace} ${one.custom_id}`, one]),
          ).values(),
        ]
      })
    fc.assert(
      fc.property(items, (all) => {
        const holders = all.filter((one) => one.custom_id === one.custom_id?.normalize('NFC'))
        const renamed = new Map(renamings(all, holders).map((one) => [one.id, one.custom_id]))
        const after = all.map((one) => ({ ...one, custom_id: renamed.get(one.id) ?? one.custom_id }))
        const names = after.filter((one) => one.custom_id !== null).map((one) => `${one.namespace} ${one.custom_id}`)
        expect(new Set(names).size).toBe(names.length)
        expect(after.every(hasNormalNames)).toBe(true)
        expect(after.map((one) => one.custom_id === null)).toEqual(all.map((one) => one.custom_id === null))
        const wanted = new Set(
          all.flatMap((one) => (one.custom_id === null ? [] : [`${one.namespace} ${one.custom_id.normalize('NFC')}`])),
        )
        expect([...wanted].filter((one) => !names.includes(one))).toEqual([])
      }),
    )
  })
})
