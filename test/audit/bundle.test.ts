import { expect, test } from 'vitest'
import { emptyBundle, isEmpty, mergeBundles, type AuditBundle } from '../../src/audit/bundle.ts'
import { auditRow } from '../../src/audit/record.ts'
import { system } from '../support/world.ts'

const row = () =>
  auditRow(system, {
    principal: {
      userId: 'usr_a',
      tenantId: 'ten_a',
      credential: { kind: 'key', id: 'key_a', environment: 'live', appId: null },
    },
    action: 'memory.retrieve',
    outcome: 'success',
    requestId: 'req_a',
  })

const bundle = (more: Partial<AuditBundle>): AuditBundle => ({ ...emptyBundle(), ...more })

test('a bundle without rows and counts is empty: nothing is worth a message', () => {
  expect(isEmpty(emptyBundle())).toBe(true)
  expect(isEmpty(bundle({ rows: [row()] }))).toBe(false)
  expect(isEmpty(bundle({ counts: { 'ten_a usr_a read ok 0': 1 } }))).toBe(false)
})

test('two in one: all rows in order, counts added up, the later use, each shard once, the later name', () => {
  const [first, second] = [row(), row()]
  const earlier = bundle({
    id: 'aud_1',
    rows: [first],
    counts: { a: 1, b: 2 },
    uses: { key_a: { kind: 'key', shard: '00', at: 1 }, key_b: { kind: 'key', shard: '00', at: 1 } },
    moves: ['00', '01'],
  })
  const later = bundle({
    id: 'aud_2',
    rows: [second],
    counts: { b: 3, c: 4 },
    uses: { key_a: { kind: 'key', shard: '00', at: 2 } },
    moves: ['01', '02'],
  })
  const before = structuredClone([earlier, later])
  expect(mergeBundles(earlier, later)).toEqual({
    id: 'aud_2',
    rows: [first, second],
    counts: { a: 1, b: 5, c: 4 },
    uses: { key_a: { kind: 'key', shard: '00', at: 2 }, key_b: { kind: 'key', shard: '00', at: 1 } },
    moves: ['00', '01', '02'],
  })
  expect([earlier, later]).toEqual(before)
})
