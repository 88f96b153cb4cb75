import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { figuresByKind } from '../../bench/support/public-sets/figures.ts'
import { loadSet } from '../../bench/support/public-sets/load.ts'

test('any@k, all@k, R@k and MRR by kind of question; one without an answer counts in none', () => {
  const figures = figuresByKind([
    { kind: 'b', relevant: ['1', '2'], found: ['1', 'x', '2'] },
    { kind: 'a', relevant: ['1'], found: ['x', 'y', 'z', '1'] },
    { kind: 'abstention', relevant: [], found: ['x'] },
  ])
  const rows = figures.map(({ kind, questions, mrr, at }) => [
    kind,
    questions,
    mrr,
    at.slice(0, 3).map(({ depth, any, all, recall }) => [depth, any, all, recall]),
  ])
  expect(rows).toEqual([
    [
      'all',
      2,
      0.625,
      [
        [1, 0.5, 0, 0.25],
        [3, 0.5, 0.5, 0.5],
        [5, 1, 1, 1],
      ],
    ],
    [
      'a',
      1,
      0.25,
      [
        [1, 0, 0, 0],
        [3, 0, 0, 0],
        [5, 1, 1, 1],
      ],
    ],
    [
      'b',
      1,
      1,
      [
        [1, 1, 0, 0.5],
        [3, 1, 1, 1],
        [5, 1, 1, 1],
      ],
    ],
  ])
  expect(figuresByKind([])).toEqual([])
})

describe('from files', () => {
  const folder = () => {
    const path = mkdtempSync(join(tmpdir(), 'recollect-set-'))
    onTestFinished(() => rmSync(path, { recursive: true }))
    return path
  }
  const chat = (dia_id: string) => ({ session_1: [{ speaker: 'Ada', dia_id, clean_text: 'x' }], qa: [] })

  test('a folder of REALTALK is read in the order of its chats, and its hash is that of all files', () => {
    const path = folder()
    for (const n of [10, 2]) writeFileSync(join(path, `Chat_${n}.json`), JSON.stringify(chat(`D${n}:1`)))
    writeFileSync(join(path, 'notes.json'), '[]')
    const { chats, sha256 } = loadSet('realtalk', path)
    expect(chats.map(({ id }) => id)).toEqual(['Chat_2', 'Chat_10'])
    const both = JSON.stringify(chat('D2:1')) + JSON.stringify(chat('D10:1'))
    expect(sha256).toBe(createHash('sha256').update(both).digest('hex'))
    expect(loadSet('realtalk', join(path, 'Chat_2.json')).chats).toHaveLength(1)
  })

  test('a folder of BEAM, or one chat of it', () => {
    const path = folder()
    mkdirSync(join(path, '1/probing_questions'), { recursive: true })
    writeFileSync(join(path, '1/chat.json'), JSON.stringify([{ role: 'user', id: 0, content: 'x' }]))
    writeFileSync(join(path, '1/probing_questions/probing_questions.json'), '{"abstention": [{"question": "a"}]}')
    for (const each of [path, join(path, '1')])
      expect(loadSet('beam', each).chats).toMatchObject([
        { id: '1', turns: [{ id: '0' }], questions: [{ query: 'a' }] },
      ])
  })

  test('a folder without chats is refused', () => {
    const path = folder()
    expect(() => loadSet('beam', path)).toThrow('has no chats of beam')
    expect(() => loadSet('realtalk', path)).toThrow('has no chats of realtalk')
  })
})
