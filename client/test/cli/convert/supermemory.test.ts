import { expect, test } from 'vitest'
import { fromSupermemory } from '../../../src/cli/convert/supermemory.ts'
import { linesOf as partsOf } from '../../../src/cli/convert/parts.ts'
import { NOW } from '../support/io.ts'

const linesOf = (value: unknown) =>
  fromSupermemory(JSON.stringify(value), NOW).flatMap((one) =>
    'reason' in one ? [one.reason] : partsOf(one, null).map(({ line }) => JSON.parse(line)),
  )

const DOCUMENT = {
  id: 'doc_1',
  customId: 'meeting-7',
  content: 'Carl leads the redesign.',
  summary: 'About Carl.',
  title: 'Meeting',
  type: 'text',
  url: null,
  containerTags: ['user_123', 'project_9'],
  metadata: { category: 'work' },
  createdAt: '2025-05-01T08:00:00.000Z',
  updatedAt: '2025-05-02T08:00:00.000Z',
  status: 'done',
}

test('a document with all that it has, in each list that it comes in', () => {
  const line = {
    content: { text: 'Carl leads the redesign.', metadata: { category: 'work', title: 'Meeting', type: 'text' } },
    custom_id: 'supermemory:meeting-7',
    created_at: '2025-05-01T08:00:00.000Z',
    updated_at: '2025-05-02T08:00:00.000Z',
    tags: ['user_123', 'project_9'],
    ttl: null,
  }
  expect(linesOf({ memories: [DOCUMENT], pagination: { totalItems: 1 } })).toEqual([line])
  expect(linesOf({ documents: [DOCUMENT] })).toEqual([line])
  // Version 5 of the API answers with all its collections, of which one is asked for.
  expect(linesOf({ memories: [], chunks: [], documents: [DOCUMENT] })).toEqual([line])
  expect(linesOf([DOCUMENT])).toEqual([line])
})

test('memory entries: the latest version alone, and none that was forgotten', () => {
  const entries = [
    { id: '1', memory: 'Ada likes tea.', isLatest: true, isForgotten: false, containerTag: 'user_1' },
    { id: '2', memory: 'Ada liked coffee.', isLatest: false },
    { id: '3', memory: 'Ada likes milk.', isForgotten: true },
  ]
  expect(linesOf({ memoryEntries: entries })).toEqual([
    {
      content: { text: 'Ada likes tea.', metadata: {} },
      context: { subject: 'user_1' },
      custom_id: 'supermemory:1',
      tags: ['user_1'],
      ttl: null,
    },
    'a later version replaces it',
    'it was forgotten',
  ])
})

test('the user of the metadata, or else the only container tag as a whole, is the subject', () => {
  const long = 'x'.repeat(99)
  const subjectOf = (fields: object) => linesOf([{ content: 'x', ...fields }])[0].context?.subject
  expect(subjectOf({ containerTags: ['user_1', 'project_2'], metadata: { user_id: 'ada' } })).toBe('ada')
  expect(subjectOf({ containerTags: ['user_1', 'project_2'], userId: 'owner' })).toBeUndefined()
  expect(subjectOf({ containerTags: ['user_1'], containerTag: 'user_1' })).toBe('user_1')
  expect(subjectOf({ containerTags: [long] })).toBe(long)
  expect(subjectOf({ containerTags: [`${long}1`, `${long}2`] })).toBeUndefined()
  expect(subjectOf({})).toBeUndefined()
  const [one] = fromSupermemory(JSON.stringify([{ content: 'x', metadata: { userId: 'a\nb' } }]), NOW)
  expect(one).toMatchObject({ note: expect.stringContaining('it has no subject') })
})

test('a document without an id has one by its text and its containers, which a second import gives again', () => {
  const idOf = (fields: object) => linesOf([{ content: 'x', ...fields }])[0].custom_id
  const id = idOf({ containerTags: ['user_1'] })
  expect(id).toMatch(/^supermemory:sha256:[0-9a-f]{32}$/)
  expect(idOf({ containerTags: ['user_1'], updatedAt: '2025-05-02T08:00:00.000Z' })).toBe(id)
  expect(new Set([id, idOf({}), idOf({ containerTags: ['user_2'] }), idOf({ content: 'y' })]).size).toBe(4)
})

test('a list without the contents imports no summaries', () => {
  const { content: _, ...listed } = DOCUMENT
  expect(linesOf({ memories: [listed] })).toEqual(['it has no content: export with "includeContent": true'])
})

test('an entry lives until Supermemory would forget it; one that is past that is left out', () => {
  const entry = (forgetAfter: string) => linesOf([{ memory: 'x', forgetAfter }])[0]
  expect(entry('2026-11-22T12:01:00.000Z').ttl).toBe(60)
  expect(entry('2026-11-22')).toMatchObject({ ttl: 12 * 3_600 })
  expect(entry('2026-11-22T11:59:00Z')).toBe('its time to be forgotten has passed')
  expect(entry('someday')).toMatchObject({ ttl: null, content: { metadata: { forgetAfter: 'someday' } } })
})
