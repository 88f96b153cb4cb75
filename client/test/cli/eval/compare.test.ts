import { expect, test } from 'vitest'
import { EXIT } from '../../../src/cli/exit-codes.ts'
import { evaluate, NOTHING, NUT_LINE, NUTS, TEA } from '../support/evaluate.ts'

const compareWith = async (before: string, lines: readonly unknown[], more: string[] = []) =>
  evaluate(lines, { args: ['--compare', 'HOME/old.json', ...more], files: { 'old.json': before } })

test('shows new minus old', async () => {
  const worse = await evaluate([NUT_LINE, NOTHING], { search: () => ({ found: [TEA, NUTS] }) })
  const { code, json, err } = await compareWith(worse.out, [NUT_LINE, NOTHING])
  expect(code).toBe(EXIT.ok)
  expect(err).toBe('')
  expect(json().compared).toEqual({
    same_file: true,
    same_rerank: true,
    modes: {
      hybrid: {
        recall_at_1: 1,
        recall_at_3: 0,
        recall_at_5: 0,
        recall_at_10: 0,
        mrr: 0.5,
        false_positives: -1,
        p50_ms: 0,
        p95_ms: 0,
      },
    },
  })
})

test('says what cannot be compared', async () => {
  const old = await evaluate([NUT_LINE])
  const { err, json } = await compareWith(old.out, [NOTHING], ['--modes', 'keyword', '--rerank'])
  expect(err).toContain('The earlier evaluation asked different questions.')
  expect(err).toContain('Only one of the two evaluations reranked.')
  expect(err).toContain('have no mode in common')
  expect(json().compared).toMatchObject({ same_file: false, modes: {} })
  const none = await compareWith(old.out, [NOTHING])
  expect(none.json().compared).toMatchObject({ modes: { hybrid: { recall_at_10: null, mrr: null } } })
})

test.each(['no JSON', 'null', '{"modes": {}}', '{"sha256": "x", "modes": {"hybrid": 1}}', '{"sha256": "x"}'])(
  '%s is not an evaluation, and nothing is asked',
  async (before) => {
    const { code, err, paths } = await compareWith(before, [NUT_LINE])
    expect(code).toBe(EXIT.usage)
    expect(err).toContain('is not an evaluation')
    expect(paths).toEqual([])
  },
)

test('nor is a file that does not exist', async () => {
  const { code, err } = await evaluate([NUT_LINE], { args: ['--compare', 'HOME/none.json'] })
  expect(code).toBe(EXIT.usage)
  expect(err).toContain('cannot be read')
})
