import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasPython } from '../../../test/e2e/support/python.ts'
import { CASES, expected, there, told, type Case, type Observed } from './case.ts'
import { runPython } from './python.ts'
import { ScriptedService, type Sent } from './scripted-service.ts'
import { observe } from './typescript.ts'

/** To make the environment once takes a download. */
const ENVIRONMENT_MS = 240_000

const service = new ScriptedService()
beforeAll(() => service.start())
afterAll(() => service.stop())

describe('the TypeScript client', () => {
  test.each(CASES)('$name', async (one) => {
    const { baseUrl, sent } = service.script(one.steps)
    expect(told(one, await observe(one, baseUrl), sent)).toEqual(expected(one))
  })
})

describe.runIf(hasPython)('the Python clients', () => {
  const scripts = new Map<Case, { sync: Sent[]; async: Sent[]; observed: Record<'sync' | 'async', Observed> }>()
  beforeAll(async () => {
    const given = CASES.map((one) => ({ one, sync: service.script(one.steps), async: service.script(one.steps) }))
    const observed = await runPython<Record<'sync' | 'async', Observed>[]>(
      'run_cases.py',
      given.map(({ one, sync, async }) => ({ ...one, sync_url: sync.baseUrl, async_url: async.baseUrl })),
    )
    for (const [n, { one, sync, async }] of given.entries())
      scripts.set(one, { sync: sync.sent, async: async.sent, observed: there(observed[n]) })
  }, ENVIRONMENT_MS)

  test.each(CASES.flatMap((one) => (['sync', 'async'] as const).map((kind) => ({ one, kind, name: one.name }))))(
    '$kind: $name',
    ({ one, kind }) => {
      const found = scripts.get(one)!
      expect(told(one, found.observed[kind], found[kind])).toEqual(expected(one))
    },
  )
})
