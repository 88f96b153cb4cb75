import { describe, expect, test } from 'vitest'
import { EXIT } from '../../../src/cli/exit-codes.ts'
import { itemId, REFUSED, type SearchAnswer } from '../support/eval-service.ts'
import { evaluate, LIKE_AN_ID, NOTHING, NUT_LINE, NUTS, TEA_LINE, usual, type Setting } from '../support/evaluate.ts'

test('items are named by id or custom id, and one search a question gives the figures', async () => {
  const { code, json, searched, err } = await evaluate([NUT_LINE, TEA_LINE, NOTHING])
  expect(code).toBe(EXIT.ok)
  expect(err).toBe('')
  expect(searched).toEqual([NUT_LINE, TEA_LINE, NOTHING].map(({ query }) => ({ query, mode: 'hybrid', limit: 20 })))
  expect(json()).toMatchObject({
    lines: 3,
    rerank: false,
    errors: [],
    modes: {
      hybrid: {
        answerable: 2,
        recall_at_1: 0.5,
        recall_at_3: 0.5,
        recall_at_5: 1,
        recall_at_10: 1,
        mrr: 0.625,
        unanswerable: 1,
        false_positives: 0,
        p50_ms: 10,
        p95_ms: 10,
        worst: [
          {
            from: 'line 2',
            query: TEA_LINE.query,
            expected: ['tea'],
            rank: 4,
            instead: [
              { id: NUTS, rank: 1 },
              { id: itemId(4), rank: 2 },
              { id: itemId(5), rank: 3 },
            ],
          },
        ],
      },
    },
  })
})

test('--modes, --rerank and the context of the options reach the service; a line has its own context', async () => {
  const own = { ...TEA_LINE, context: { namespace: 'other' }, filters: { tags: ['drinks'] } }
  const { searched, json } = await evaluate([NOTHING, own], {
    args: ['--modes', 'keyword,hybrid', '--rerank', '-n', 'mine'],
  })
  const both = (more: object) => ['hybrid', 'keyword'].map((mode) => ({ mode, limit: 20, rerank: true, ...more }))
  expect(searched).toEqual([
    ...both({ query: NOTHING.query, context: { namespace: 'mine' } }),
    ...both({ query: own.query, context: own.context, filters: own.filters }),
  ])
  expect(Object.keys(json().modes)).toEqual(['hybrid', 'keyword'])
  // The tea of the other namespace is another item.
  expect(json().modes.hybrid).toMatchObject({ recall_at_10: 0 })
})

test('a line that cannot be counted is an error of its line, and the others count', async () => {
  const refused: SearchAnswer = { status: 422, code: 'validation_failed', detail: 'Bad filter.' }
  const { code, json, err } = await evaluate(
    [
      NUT_LINE,
      { query: 'x', expected: [itemId(9)] },
      { query: 'x', expected: ['nobody'] },
      { query: 'x', expected: [itemId(4)] },
      { query: 'x', expected: ['gone'] },
      { query: 'x', expected: ['tea'], context: { namespace: '*' } },
      '',
      { query: 'bad filter', expected: [], filters: { nothing: 1 } },
      'no JSON',
    ],
    { search: (asked) => (asked.query === 'bad filter' ? refused : usual(asked)) },
  )
  expect(code).toBe(EXIT.failure)
  const messages = json().errors.map(({ from, message }) => [from, message])
  expect(messages).toEqual(
    Object.entries({
      'line 2': `expected ${itemId(9)} is not found, or cannot be read`,
      'line 3': 'expected nobody is not found, or cannot be read',
      'line 4': `expected ${itemId(4)} is retired`,
      'line 5': 'expected gone is not found, or cannot be read',
      'line 6': 'expected tea names several items: use an id',
      'line 8': 'Bad filter.',
      'line 9': 'it is not a JSON object',
    }),
  )
  expect(json().modes.hybrid).toMatchObject({ answerable: 1, unanswerable: 0, recall_at_10: 1 })
  expect(err).toContain('line 8: Bad filter.')
})

test('an id that no item can have is an error of its own line, and the lines looked up with it count', async () => {
  const bad = ['x'.repeat(129), 'a\0b', 'a\ud800b']
  const { code, json, paths } = await evaluate([TEA_LINE, ...bad.map((id) => ({ query: 'x', expected: ['tea', id] }))])
  expect(code).toBe(EXIT.failure)
  expect(json().errors).toEqual(
    bad.map((_, n) => ({
      from: `line ${n + 2}`,
      message: 'expected[1] is not an id: an id has at most 128 characters, no NUL character and no lone surrogate',
    })),
  )
  expect(json().modes.hybrid).toMatchObject({ answerable: 1, recall_at_10: 1 })
  expect(paths).toEqual(['/v1/memory/items', '/api/memory/search'])
})

test('a context that is refused is an error of the lines that have it, said once', async () => {
  const context = { namespace: REFUSED }
  const { json } = await evaluate([TEA_LINE, { query: 'x', expected: ['a', 'b'], context }])
  expect(json().errors).toEqual([{ from: 'line 2', message: 'context: namespace is malformed.' }])
  expect(json().modes.hybrid).toMatchObject({ answerable: 1 })
})

test('what only looks like an id is a custom id', async () => {
  const { code, json, paths } = await evaluate([{ query: 'x', expected: [LIKE_AN_ID] }])
  expect(code).toBe(EXIT.ok)
  expect(json().errors).toEqual([])
  expect(paths).toEqual(['/v1/memory/items', '/api/memory/search'])
})

test('many ids are looked up in few calls', async () => {
  const lines = Array.from({ length: 120 }, () => NUT_LINE)
  const ids = Array.from({ length: 51 }, (_, n) => ({ query: 'x', expected: [itemId(100 + n)] }))
  const names = Array.from({ length: 65 }, (_, n) => ({ query: 'x', expected: [`name ${n}`] }))
  const { paths } = await evaluate([...lines, ...ids, ...names])
  const times = (path: string) => paths.filter((each) => each === path).length
  expect(times('/api/memory/batch')).toBe(2)
  expect(times('/v1/memory/items')).toBe(2)
  expect(times('/api/memory/search')).toBe(120)
})

test('custom ids of any length fit into addresses of 8 KB', async () => {
  const longest = Array.from({ length: 64 }, (_, n) => `${'語'.repeat(126)}${String(n).padStart(2, '0')}`)
  const quotes = Array.from({ length: 64 }, (_, n) => `${'"\\'.repeat(63)}${String(n).padStart(2, '0')}`)
  const context = { namespace: 'n', subject: '語'.repeat(256) }
  const { json, lengths } = await evaluate([
    { query: 'x', expected: longest },
    { query: 'y', expected: quotes, context },
  ])
  expect(json().errors).toHaveLength(2)
  expect(Math.max(...lengths)).toBeLessThan(8_192)
})

test('figures of searches that were degraded, not reranked or not complete say so', async () => {
  const { json, err, code } = await evaluate([NUT_LINE, NOTHING], {
    args: ['--rerank'],
    search: () => ({ found: [NUTS], degraded: true, reranked: false, pending: 3 }),
  })
  expect(code).toBe(EXIT.ok)
  expect(json()).toMatchObject({ pending: 3, modes: { hybrid: { degraded: 2, not_reranked: 2, false_positives: 1 } } })
  expect(err).toContain('hybrid: semantic search was unavailable for 2 questions.')
  expect(err).toContain('hybrid: the results of 2 questions were not reranked.')
  expect(err).toContain('3 items were still waiting to be embedded.')
})

test('--min-recall makes the exit code 1 if any mode is below', async () => {
  const search: Setting['search'] = (asked) => (asked.mode === 'keyword' ? { found: [] } : usual(asked))
  const enough = await evaluate([NUT_LINE], { args: ['--min-recall', '1'], search })
  expect(enough).toMatchObject({ code: EXIT.ok, err: '' })
  const below = await evaluate([NUT_LINE], { args: ['--min-recall', '0.5', '--modes', 'hybrid,keyword'], search })
  expect(below).toMatchObject({ code: EXIT.failure, err: 'keyword: recall at 10 is 0.000, below 0.5.\n' })
  const nothing = await evaluate([NOTHING], { args: ['--min-recall', '0.5'] })
  expect(nothing.code).toBe(EXIT.failure)
})

test('a terminal shows figures, changes and the worst questions with what came instead', async () => {
  const old = await evaluate([NUT_LINE, TEA_LINE], { search: () => ({ found: [] }) })
  const { out } = await evaluate([NUT_LINE, TEA_LINE], {
    args: ['--no-color', '--compare', 'HOME/old.json'],
    terminal: true,
    files: { 'old.json': old.out },
  })
  const lines = out.split('\n').map((line) => line.replace(/\s+/g, ' ').trim())
  expect(lines).toEqual([
    '2 questions with an answer, 0 without',
    'MODE R@1 R@3 R@5 R@10 MRR FALSE P50 MS P95 MS',
    'hybrid 0.500 0.500 1.000 1.000 0.625 0 10 10',
    '',
    'Compared with the earlier evaluation',
    'MODE R@1 R@3 R@5 R@10 MRR FALSE P50 MS P95 MS',
    'hybrid +0.500 +0.500 +1.000 +1.000 +0.625 0 0 0',
    '',
    'Worst questions (hybrid), each with the rank of its answer and what came instead',
    'LINE RANK ID TEXT',
    'line 2 4 tea what to drink',
    `1 ${NUTS} The text of ${NUTS}.`,
    `2 ${itemId(4)} The text of ${itemId(4)}.`,
    `3 gone The text of ${itemId(5)}.`,
    '',
  ])
})

describe('refused before anything is asked', () => {
  test.each([
    [[], [], 'has no questions', EXIT.invalid],
    [Array.from({ length: 10_001 }, () => NOTHING), [], 'has more than 10,000 lines', EXIT.usage],
    [['[', NUT_LINE, ']'], [], 'is a JSON array or object, not JSON Lines', EXIT.invalid],
    [[NUT_LINE], ['--modes', 'hybrid,fast'], 'Allowed modes', EXIT.usage],
    [[NUT_LINE], ['--modes', ''], 'Allowed modes', EXIT.usage],
    [[NUT_LINE], ['--min-recall', '2'], 'from 0 to 1', EXIT.usage],
  ])('%#', async (lines, args, message, exit) => {
    const { code, err, out, paths } = await evaluate(lines, { args })
    expect(code).toBe(exit)
    expect(err).toContain(message)
    expect(out).toBe('')
    expect(paths).toEqual([])
  })
})
