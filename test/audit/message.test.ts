import { expect, test } from 'vitest'
import { emptyMessage } from '../../src/audit/message.ts'

test('an empty message is about nobody, and names shard 00 unless it is told another', () => {
  expect(emptyMessage()).toEqual({ id: '', shard: '00', rows: [], uses: {}, counts: {}, moves: [] })
  expect(emptyMessage('02').shard).toBe('02')
})

test('no two messages share what is gathered in them', () => {
  const [one, other] = [emptyMessage(), emptyMessage()]
  one.moves.push('01')
  one.counts['ten_1 usr_1 memory.store ok 0'] = 1
  one.uses['key_1'] = { kind: 'key', shard: '00', at: 1 }
  expect(other).toEqual(emptyMessage())
})
