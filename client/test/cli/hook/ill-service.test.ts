import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { BUDGET_MS, MAX_CHARACTERS } from '../../../src/cli/hook/recall.ts'
import { INPUTS } from '../support/hook-inputs.ts'
import { git } from '../support/repository.ts'
import { started } from '../support/run-hook.ts'

const PROMPT = INPUTS['claude-code'].prompt

/** How long this computer takes for a wait of so many milliseconds, which is the yardstick beside it. */
async function waited(ms: number): Promise<number> {
  const began = performance.now()
  await setTimeout(ms)
  return performance.now() - began
}

describe('a service that is ill is silence, within the budget', () => {
  test.each([
    ['an error', { status: 500, json: {} }],
    ['a refusal', { status: 401, json: {} }],
    ['another place', { status: 307, location: 'http://127.0.0.1:1/', json: {} }],
    ['no JSON', { text: '<html>' }],
    ['null', { text: 'null' }],
    ['a text that is none', { json: { text: { a: 1 } } }],
    ['a text that is too long', { json: { text: 'x'.repeat(MAX_CHARACTERS + 1) } }],
    ['no end', { text: `{"text":"${'x'.repeat(10_000_000)}"}` }],
    ['silence', 'silence'],
    ['nobody who listens', null],
  ] as const)('%s', async (_, answer) => {
    const { service, hook, waiting } = await started()
    if (answer === null) service.stop()
    else service.answers['/v1/memory/recall'] = answer
    const [{ output, ms }, budget] = await Promise.all([
      hook('claude-code', PROMPT, { budgetMs: BUDGET_MS }),
      waited(BUDGET_MS),
    ])
    expect(output).toBe('')
    expect(ms).toBeLessThan(budget + 100)
    // The turn is remembered all the same.
    await hook('claude-code', INPUTS['claude-code'].answer)
    expect(await waiting()).toHaveLength(1)
  })

  test('a text of the greatest length is taken', async () => {
    const { service, hook } = await started()
    service.answers['/v1/memory/recall'] = { json: { text: 'x'.repeat(MAX_CHARACTERS), pending: 0 } }
    expect((await hook('opencode', { event: 'session', input: INPUTS.opencode.start.input })).output).toHaveLength(
      MAX_CHARACTERS + '{"context":""}'.length,
    )
  })
})

test('a git that hangs holds up no prompt, and forgets none', async () => {
  const { hook, waiting, home } = await started()
  await hook('codex', INPUTS.codex.prompt)
  const bin = join(home.home, 'bin')
  await mkdir(bin)
  await writeFile(join(bin, 'git'), '#!/bin/sh\nexec tail -f /dev/null\n', { mode: 0o755 })
  const env = { PATH: `${bin}:${process.env['PATH']}` }
  // Its configuration has changed, so that it is asked again.
  await git(home.folder, 'config', 'user.name', 'Ada')
  const prompt = { input: { ...INPUTS.codex.prompt.input, turn_id: 't-2' } }
  const [{ output, ms }, budget] = await Promise.all([
    hook('codex', prompt, { env, budgetMs: BUDGET_MS }),
    waited(BUDGET_MS),
  ])
  expect(output).toBe('')
  expect(ms).toBeLessThan(budget + 100)
  await hook('codex', INPUTS.codex.answer)
  expect(await waiting()).toMatchObject([{ body: { messages: [{ id: 't-1:prompt' }, { id: 't-1:answer' }] } }])
})
