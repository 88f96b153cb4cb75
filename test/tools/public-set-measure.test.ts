import { expect, test } from 'vitest'
import { linesOf, measureSet } from '../../bench/support/public-sets/measure.ts'
import type { SetChat } from '../../bench/support/public-sets/set.ts'

const turn = (id: string, session: string) => ({ id, session, text: `text ${id}`, occurred_at: null })
const CHATS: SetChat[] = [
  {
    id: 'one',
    turns: [turn('1', 'a'), turn('2', 'b')],
    questions: [
      { query: 'second', kind: 'fact', turns: ['2'], sessions: ['b'] },
      { query: 'nothing', kind: 'abstention', turns: [], sessions: [] },
      { query: 'unlabelled', kind: 'fact', turns: null, sessions: ['a'] },
    ],
  },
  { id: 'two', turns: [turn('1', 'a')], questions: [{ query: 'first', kind: 'date', turns: ['1'], sessions: ['a'] }] },
]

/** A service that finds everything in its order, and nothing by keyword. */
function service() {
  const stored = new Map<string, string[]>()
  const log: string[] = []
  return {
    log,
    embedded: async () => void log.push('embedded'),
    client: {
      store: async (name: string, texts: readonly { id: string }[]) => {
        log.push(`store ${name}`)
        stored.set(
          name,
          texts.map(({ id }) => id),
        )
        return name
      },
      search: async (project: string, { query, mode }: { query: string; mode: string }) => {
        log.push(`${mode} ${query}`)
        return mode === 'keyword' ? [] : (stored.get(project) ?? []).map((id) => ({ id, score: 1 }))
      },
    },
  }
}

test('each chat is stored, embedded and asked, in its own project', async () => {
  const { client, embedded, log } = service()
  const result = await measureSet(client, CHATS, { granularity: 'turn', embedded })
  expect(log).toEqual([
    'store one',
    'embedded',
    ...['second', 'nothing'].flatMap((query) => [`keyword ${query}`, `semantic ${query}`, `hybrid ${query}`]),
    'store two',
    'embedded',
    'keyword first',
    'semantic first',
    'hybrid first',
  ])
  expect(result).toMatchObject({ chats: 2, texts: 3, unanswerable: 1, unlabelled: 1 })
  const shown = result.modes.map(({ mode, empty, figures }) => [
    mode,
    empty,
    figures.map(({ kind, mrr }) => [kind, mrr]),
  ])
  expect(shown).toEqual([
    [
      'keyword',
      1,
      [
        ['all', 0],
        ['date', 0],
        ['fact', 0],
      ],
    ],
    [
      'semantic',
      0,
      [
        ['all', 0.75],
        ['date', 1],
        ['fact', 0.5],
      ],
    ],
    [
      'hybrid',
      0,
      [
        ['all', 0.75],
        ['date', 1],
        ['fact', 0.5],
      ],
    ],
  ])
})

test('by session, its parts count as it', async () => {
  const { client, embedded } = service()
  const { unlabelled, modes } = await measureSet(client, CHATS, { granularity: 'session', embedded })
  expect(unlabelled).toBe(0)
  expect(modes[2]?.figures[0]).toMatchObject({ kind: 'all', questions: 3, mrr: (0.5 + 1 + 1) / 3 })
})

test('the lines have a row for each mode and kind', async () => {
  const { client, embedded } = service()
  const lines = linesOf(await measureSet(client, CHATS, { granularity: 'turn', embedded }))
  expect(lines.map((line) => line.split(/\s+/).slice(0, 4).join(' '))).toEqual([
    '2 chats, 3 texts;',
    'mode kind asked any@1',
    'keyword all 2 0.0000',
    'keyword date 1 0.0000',
    'keyword fact 1 0.0000',
    'semantic all 2 0.5000',
    'semantic date 1 1.0000',
    'semantic fact 1 0.0000',
    'hybrid all 2 0.5000',
    'hybrid date 1 1.0000',
    'hybrid fact 1 0.0000',
    'nothing found for 1',
  ])
})
