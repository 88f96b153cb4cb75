import { beforeEach, describe, expect, test, vi } from 'vitest'
import { ModelDown, TextRefused } from '../../src/core/embedding.ts'
import type { AuthContext } from '../../src/core/context.ts'
import type { EmbeddingModel } from '../../src/core/models.ts'
import { travel } from '../support/clock.ts'
import { fakeTimers } from '../support/fake-timers.ts'
import { embeddingModel, systemWith } from '../support/models.ts'
import { ctxOf, find } from '../support/search.ts'
import { newTenant } from '../support/world.ts'

beforeEach(() => travel(0))

/** A model that answers as `answers` say in turn: with its vectors, with an error, or never. The last one stays. */
function modelOf(...answers: ('well' | 'never' | Error)[]) {
  const signals: AbortSignal[] = []
  const called = Promise.withResolvers<void>()
  const embed: EmbeddingModel['embed'] = async (texts, purpose, signal) => {
    const answer = answers[Math.min(signals.length, answers.length - 1)]
    if (signal) signals.push(signal)
    called.resolve()
    if (answer === 'never') return new Promise(() => {})
    if (answer instanceof Error) throw answer
    return embeddingModel.embed(texts, purpose)
  }
  const model = { ...embeddingModel, remote: true, embed }
  const { embedder } = systemWith(model)
  return {
    model,
    signals,
    called: called.promise,
    asked: () => signals.length,
    ask: () => embedder.embed(['tea']),
    downMs: () => embedder.down()?.retryAfterMs ?? 0,
  }
}

test.each<[string, number, (ctx: AuthContext) => Promise<unknown>]>([
  ['query', 3_000, ({ embedder }) => embedder.query('tea')],
  ['document', 30_000, ({ embedder }) => embedder.embed(['tea'])],
])('no answer to a %s within %d ms is an error, and the call is given up', async (_, deadlineMs, ask) => {
  const { model, signals, called } = modelOf('never')
  const ctx = ctxOf(await newTenant(), { embeddingModel: model })
  fakeTimers('setTimeout')
  const failure = vi.fn()
  const call = ask(ctx).catch(failure)
  await called
  await vi.advanceTimersByTimeAsync(deadlineMs - 1)
  expect(failure).not.toHaveBeenCalled()
  expect(signals[0]?.aborted).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await call
  expect(failure).toHaveBeenCalledWith(expect.objectContaining({ message: `no response within ${deadlineMs} ms` }))
  expect(signals[0]?.aborted).toBe(true)
})

describe('after a hang', () => {
  /** A model that hung once. */
  async function hung(...then: Parameters<typeof modelOf>) {
    fakeTimers('setTimeout')
    const model = modelOf('never', ...then)
    const call = model.ask().catch(() => {})
    await vi.advanceTimersByTimeAsync(30_000)
    await call
    return model
  }

  test('it is not asked for 5 s, and nobody waits', async () => {
    const { downMs, ask, asked } = await hung('well')
    expect(downMs()).toBe(5_000)
    travel(4_000)
    await expect(ask()).rejects.toMatchObject({ name: 'ModelDown', retryAfterMs: 1_000 })
    expect(asked()).toBe(1)
    travel(1_000)
    expect(await ask()).toHaveLength(1)
    expect(downMs()).toBe(0)
  })

  test('one call then finds out whether it is well; the others wait for its answer no longer than 5 s', async () => {
    const { ask, asked } = await hung('never', 'well')
    travel(5_000)
    void ask().catch(() => {})
    await expect(ask()).rejects.toThrow(ModelDown)
    expect(asked()).toBe(2)
    travel(5_000)
    expect(await ask()).toHaveLength(1)
    expect(asked()).toBe(3)
    await ask()
    expect(asked()).toBe(4)
  })

  test('a clock that is set back holds nobody up', async () => {
    const { ask } = await hung('well')
    travel(-3_600_000)
    expect(await ask()).toHaveLength(1)
  })
})

test.each([
  ['less than 5 s', 1_000, 5_000],
  ['a minute', 60_000, 60_000],
  ['a day', 24 * 3_600_000, 30 * 60_000],
])('its Retry-After of %s is obeyed, between 5 s and 30 min', async (_, retryAfterMs, downMs) => {
  const { downMs: pausedMs, ask, asked } = modelOf(new ModelDown('busy', retryAfterMs), 'well')
  await expect(ask()).rejects.toThrow('busy')
  expect(pausedMs()).toBe(downMs)
  travel(downMs - 1)
  await expect(ask()).rejects.toThrow(ModelDown)
  expect(asked()).toBe(1)
  travel(1)
  expect(await ask()).toHaveLength(1)
})

test('a quick failure alone stops nobody; three in a row do', async () => {
  const failure = new Error('500')
  const { ask, asked } = modelOf(failure, failure, 'well', failure, failure, failure, 'well')
  const outcomes: string[] = []
  for (let call = 1; call <= 8; call++) outcomes.push(await ask().then(() => 'well', String))
  const down = 'ModelDown: the model was down a moment ago'
  const failed = 'Error: 500'
  expect(outcomes).toEqual([failed, failed, 'well', failed, failed, failed, down, down])
  expect(asked()).toBe(6)
  travel(5_000)
  await ask()
  expect(asked()).toBe(7)
})

test('refused texts and wrong answers stop nobody: a text of one client must not take the model from the others', async () => {
  const { ask, asked, downMs } = modelOf(new TextRefused('no'))
  for (let n = 1; n <= 5; n++) await expect(ask()).rejects.toThrow('no')
  expect(asked()).toBe(5)
  expect(downMs()).toBe(0)
})

test('a semantic search says for how long the model is not asked', async () => {
  const user = await newTenant()
  const { model } = modelOf(new ModelDown('busy', 42_000))
  const ctx = ctxOf(user, { embeddingModel: model })
  await expect(find(ctx, 'tea', { mode: 'semantic' })).rejects.toMatchObject({
    status: 503,
    headers: { 'Retry-After': '42' },
  })
  travel(12_000)
  await expect(find(ctx, 'tea', { mode: 'semantic' })).rejects.toMatchObject({
    status: 503,
    headers: { 'Retry-After': '30' },
  })
  expect(await find(ctx, 'tea')).toMatchObject({ degraded: 'semantic_unavailable' })
})
