import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readPublicSet } from '../../bench/support/public-sets/run.ts'

function file(): string {
  const folder = mkdtempSync(join(tmpdir(), 'recollect-set-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const question = (name: string) => ({ question: name, answer: 'x', evidence: ['D1:1'], category: 4 })
  const conversation = { session_1: [{ speaker: 'Ada', dia_id: 'D1:1', text: 'Hi' }] }
  writeFileSync(
    join(folder, 'locomo10.json'),
    JSON.stringify([{ sample_id: 'c', conversation, qa: [question('one'), question('two')] }]),
  )
  return join(folder, 'locomo10.json')
}

test('a set is read with its options', () => {
  const path = file()
  const options = { set: 'locomo', positionals: [path], granularity: 'session' }
  expect(readPublicSet(options)).toMatchObject({
    chats: [{ questions: [{ query: 'one' }, { query: 'two' }] }],
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    options: { set: 'locomo', limit: null, granularity: 'session' },
  })
  expect(readPublicSet({ ...options, limit: '1' })?.chats[0]?.questions).toHaveLength(1)
})

test('without --set there is none', () => {
  expect(readPublicSet({ positionals: [], granularity: 'turn' })).toBeNull()
})

test.each([
  [{ set: undefined }, 'a path needs --set'],
  [{ set: 'other' }, 'one of longmemeval, locomo, realtalk, beam'],
  [{ positionals: [] }, 'needs one path'],
  [{ positionals: ['a', 'b'] }, 'needs one path'],
  [{ granularity: 'word' }, 'turn or session'],
  [{ limit: '0' }, 'number of questions'],
  [{ limit: 'ten' }, 'number of questions'],
])('%j is refused', (more, message) => {
  expect(() => readPublicSet({ set: 'locomo', positionals: ['x'], granularity: 'turn', ...more })).toThrow(message)
})
