import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FILTER_KEYS } from '../../src/events/catalog.ts'
import { matches, type EventFacts, type Interest } from '../../src/events/match.ts'

const event: EventFacts = {
  type: 'message.new',
  channel: 'conversation',
  workspace_id: 'wsp_1',
  project_id: 'prj_1',
  namespace: null,
  scope: null,
  conversation_id: 'c1',
}
const all: Interest = { channels: ['conversation'], types: [], filters: {} }

test.each<[string, Partial<Interest>, boolean]>([
  ['its channel, no types named: all types of the channel', {}, true],
  ['another channel', { channels: ['memory'] }, false],
  ['no channel', { channels: [] }, false],
  ['its type', { types: ['message.new'] }, true],
  ['another type', { types: ['message.updated'] }, false],
  ['its conversation', { filters: { conversation_id: 'c1' } }, true],
  ['another conversation', { filters: { conversation_id: 'c2' } }, false],
  ['all filters match', { filters: { conversation_id: 'c1', project_id: 'prj_1', workspace_id: 'wsp_1' } }, true],
  ['one of the filters does not match', { filters: { conversation_id: 'c1', project_id: 'prj_2' } }, false],
  ['a filter on what the event does not have', { filters: { namespace: 'default' } }, false],
])('%s', (_, interest, expected) => {
  expect(matches({ ...all, ...interest }, event)).toBe(expected)
})

test('contract §3: a conversation is the same in another Unicode form, on either side', () => {
  const forms = ['caf\u00E9', 'cafe\u0301']
  for (const asked of forms)
    for (const conversation_id of forms)
      expect(matches({ ...all, filters: { conversation_id: asked } }, { ...event, conversation_id })).toBe(true)
  // A publisher's own type may have any text there: it is not ordered.
  const long = `cafe${'\u0315\u0300'.repeat(8_000)}`
  expect(matches({ ...all, filters: { conversation_id: 'caf\u00E9' } }, { ...event, conversation_id: long })).toBe(
    false,
  )
})

test('a further filter never matches more events', () => {
  const filters = fc.dictionary(fc.constantFrom(...FILTER_KEYS), fc.constantFrom('c1', 'prj_1', 'wsp_1', 'x'))
  const run = fc.check(
    fc.property(filters, filters, (some, more) => {
      const narrow = matches({ ...all, filters: { ...some, ...more } }, event)
      return !narrow || matches({ ...all, filters: more }, event)
    }),
  )
  expect(run.counterexample).toBeNull()
})
