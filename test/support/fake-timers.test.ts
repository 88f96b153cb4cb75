import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { fakeTimers } from './fake-timers.ts'

test('timers of the test run by hand', async () => {
  fakeTimers('setTimeout', 'clearTimeout')
  const [due, cleared] = [vi.fn(), vi.fn()]
  setTimeout(due, 1_000)
  clearTimeout(setTimeout(cleared, 1_000))
  await vi.advanceTimersByTimeAsync(999)
  expect(due).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(due).toHaveBeenCalledOnce()
  expect(cleared).not.toHaveBeenCalled()
})

test('timers that an object of the Worker starts meanwhile are real, and go on in that object', async () => {
  fakeTimers('setTimeout')
  const hub = env.USER_HUB.get(env.USER_HUB.newUniqueId())
  const waited = runInDurableObject(hub, async () => {
    await new Promise<void>((resolve) => void setTimeout(resolve, 1))
    return env.DB.prepare('select 1 as one').first()
  })
  expect(vi.getTimerCount()).toBe(0)
  expect(await waited).toEqual({ one: 1 })
  expect(vi.getTimerCount()).toBe(0)
})
