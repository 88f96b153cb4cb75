import { expect, test } from 'vitest'
import { EXIT } from '../../../src/cli/exit-codes.ts'
import type { SearchAnswer } from '../support/eval-service.ts'
import { evaluate, NOTHING, NUT_LINE, usual } from '../support/evaluate.ts'

test('a refusal by a limit waits as long as the service says, and is not time of the search', async () => {
  const { code, json, searched, passed } = await evaluate([NUT_LINE, NOTHING], {
    search: (asked, call) =>
      call === 2 || call === 3
        ? { status: 429, code: 'rate_limited', detail: 'Slow down.', retryAfter: 7 }
        : usual(asked),
  })
  expect(code).toBe(EXIT.ok)
  expect(searched).toHaveLength(4)
  expect(passed).toBe(4 * 10 + 2 * 7_000)
  expect(json().modes.hybrid).toMatchObject({ p50_ms: 10, p95_ms: 10 })
})

test('a service that fails is asked again a few times, and then the command fails', async () => {
  const failing: SearchAnswer = { status: 503, code: 'dependency_unavailable', detail: 'Down.' }
  const passing = await evaluate([NUT_LINE], { search: (asked, call) => (call < 4 ? failing : usual(asked)) })
  expect(passing).toMatchObject({ code: EXIT.ok, passed: 4 * 10 + 7_000 })
  const lasting = await evaluate([NUT_LINE], { search: () => failing })
  expect(lasting).toMatchObject({ code: EXIT.unavailable, out: '', err: expect.stringContaining('Down.') })
  expect(lasting.searched).toHaveLength(4)
})

test('a limit that never gives way ends the command', async () => {
  const { code, searched } = await evaluate([NUT_LINE], {
    search: () => ({ status: 429, code: 'rate_limited', detail: 'Slow down.', retryAfter: 1 }),
  })
  expect(code).toBe(EXIT.limited)
  expect(searched).toHaveLength(121)
})

test('Ctrl-C ends a wait', async () => {
  const { code, out, searched } = await evaluate([NUT_LINE], {
    search: (_, call, interrupt) => {
      if (call === 2) interrupt.abort()
      return { status: 429, code: 'rate_limited', detail: 'Slow down.', retryAfter: 60 }
    },
  })
  expect({ code, out }).toEqual({ code: EXIT.interrupted, out: '' })
  expect(searched).toHaveLength(2)
})

test('a missing scope is no error of a line', async () => {
  const { code } = await evaluate([NOTHING, NOTHING], {
    search: () => ({ status: 403, code: 'insufficient_scope', detail: 'Needs read:memory.' }),
  })
  expect(code).toBe(EXIT.forbidden)
})
