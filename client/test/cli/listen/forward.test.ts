import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as Svix } from 'svix'
import { expect, test } from 'vitest'
import { CredentialsFile } from '../../../src/cli/config/credentials.ts'
import { finish } from '../../../src/cli/listen/finish.ts'
import { Forwarder, type Forwarded } from '../../../src/cli/listen/forward.ts'
import { hookOf, signed } from '../../../src/cli/listen/hook.ts'
import { testIo } from '../support/io.ts'

const URL_A = 'https://a.example'
const event = (n: number) => ({ id: `evt_${n}`, type: 'memory.created' })

interface Sent {
  id: string | null
  at: number
  init: RequestInit
}

/** A hook that answers `statuses` in turn, then 200; a status of 0 is a connection that fails. */
async function forwarding(statuses: number[] = []) {
  const process = testIo()
  const { io, clock } = process
  const { hook } = await hookOf(io, new CredentialsFile(io), URL_A, false)
  const sent: Sent[] = []
  const outcomes: Forwarded[] = []
  const send: typeof fetch = async (_, init = {}) => {
    sent.push({ id: new Headers(init.headers).get('webhook-id'), at: clock.now, init })
    const status = statuses.shift() ?? 200
    if (status === 0)
      throw new TypeError('fetch failed', { cause: Object.assign(new Error('no'), { code: 'ECONNREFUSED' }) })
    return new Response(null, { status })
  }
  const forwarder = new Forwarder(io, { url: 'http://localhost:3000/hook', hook, fetch: send }, (one) =>
    outcomes.push(one),
  )
  return { ...process, forwarder, sent, outcomes, hook }
}

test('an event goes out once, and redirects are not followed', async () => {
  const { forwarder, sent, outcomes } = await forwarding()
  forwarder.push(event(1))
  await forwarder.drained()
  expect(outcomes).toEqual([{ event: event(1), ok: true, attempts: 1, reason: '200' }])
  expect(sent[0]?.init).toMatchObject({ method: 'POST', redirect: 'manual' })
})

test('a hook that fails is tried three more times, with one id, and then reported', async () => {
  const { forwarder, sent, outcomes } = await forwarding([500, 302, 0, 404, 200])
  forwarder.push(event(1))
  await forwarder.drained()
  expect(outcomes).toEqual([{ event: event(1), ok: false, attempts: 4, reason: '404' }])
  expect(new Set(sent.map(({ id }) => id)).size).toBe(1)
  expect(sent.map(({ at }) => at - (sent[0]?.at ?? 0))).toEqual([0, 1_000, 5_000, 15_000])
})

test('a hook that recovers, one that nobody listens at, and one that is gone', async () => {
  const recovers = await forwarding([503])
  recovers.forwarder.push(event(1))
  await recovers.forwarder.drained()
  expect(recovers.outcomes).toMatchObject([{ ok: true, attempts: 2 }])
  const nobody = await forwarding([0, 0, 0, 0])
  nobody.forwarder.push(event(1))
  await nobody.forwarder.drained()
  expect(nobody.outcomes).toMatchObject([{ ok: false, attempts: 4, reason: 'nothing is listening there' }])
  const gone = await forwarding([410])
  gone.forwarder.push(event(1))
  await gone.forwarder.drained()
  expect(gone.outcomes).toMatchObject([{ ok: false, attempts: 1, reason: '410' }])
})

test('after Ctrl-C nothing is tried again', async () => {
  const { forwarder, sent, outcomes, interrupt } = await forwarding([500, 500])
  interrupt.abort()
  forwarder.push(event(1))
  await forwarder.drained()
  expect(sent).toHaveLength(1)
  expect(outcomes).toMatchObject([{ ok: false, attempts: 1 }])
})

test('Ctrl-C ends the waits between attempts, and gives up what was not begun', async () => {
  const { io, forwarder, sent, outcomes, interrupt } = await forwarding(Array.from({ length: 8 }, () => 500))
  let asleep = 0
  io.sleep = () =>
    new Promise((resolve) => {
      io.interrupted.addEventListener('abort', () => resolve())
      asleep += 1
      if (asleep === 8) interrupt.abort()
    })
  for (let n = 0; n < 10; n += 1) forwarder.push(event(n))
  await new Promise<void>((resolve) => io.interrupted.addEventListener('abort', () => resolve()))
  expect(await forwarder.end()).toBe(2)
  expect(sent).toHaveLength(8)
  expect(outcomes.map(({ ok, attempts, reason }) => [ok, attempts, reason])).toEqual(
    Array.from({ length: 8 }, () => [false, 1, '500']),
  )
})

test('a stream that the service ends leaves nothing behind: what waits is forwarded', async () => {
  const { forwarder, sent } = await forwarding([500])
  for (let n = 0; n < 10; n += 1) forwarder.push(event(n))
  expect(await forwarder.end()).toBe(0)
  expect(sent).toHaveLength(11)
})

test('what did not come to the hook is counted, with the oldest and the position before it', async () => {
  // The first comes there, the second is kept from its next attempt, the third fails for good.
  const { io, forwarder, interrupt } = await forwarding([200, 500, 410, ...Array.from({ length: 6 }, () => 200)])
  const said: string[] = []
  for (let n = 1; n <= 20; n += 1) forwarder.push(event(n), n === 2 ? 'evt_filtered' : `evt_${n - 1}`)
  io.sleep = () => {
    interrupt.abort()
    return Promise.resolve()
  }
  await new Promise<void>((resolve) => io.interrupted.addEventListener('abort', () => resolve()))
  await finish(forwarder, (line) => said.push(line))
  expect(said.slice(1)).toEqual([
    expect.stringMatching(/^\d+ events are not forwarded; the oldest is evt_2\.$/),
    'To receive them again, use --after evt_filtered',
  ])
  const [first, ...others] = forwarder.unforwarded.map(({ event: { id } }) => id)
  expect(first).toBe('evt_2')
  expect(others).not.toContain('evt_3')
  expect(others.at(-1)).toBe('evt_20')
})

test('the end says nothing where nothing is left', async () => {
  const { forwarder, interrupt } = await forwarding()
  const said: string[] = []
  await finish(forwarder, (line) => said.push(line))
  expect(said).toEqual([])
  forwarder.push(event(1), 'evt_0')
  interrupt.abort()
  await finish(forwarder, (line) => said.push(line))
  expect(said).toEqual(['1 event is being sent to the hook. Waiting …'])
})

test('a flood goes out eight at once, all of it, each event with an id of its own', async () => {
  const { forwarder, sent, outcomes } = await forwarding()
  for (let n = 0; n < 100; n += 1) forwarder.push(event(n))
  expect(sent.length).toBeLessThanOrEqual(8)
  expect(forwarder.pending).toBe(100)
  await forwarder.drained()
  expect(outcomes).toHaveLength(100)
  expect(new Set(sent.map(({ id }) => id)).size).toBe(100)
})

test('standardwebhooks and svix verify what is signed, and nothing else', async () => {
  const { hook } = await forwarding()
  const delivery = { id: 'dlv_1', body: '{"events":[{"text":"ä 😀"}]}' }
  const now = Date.now()
  const headers = signed(hook, delivery, now)
  for (const Webhook of [StandardWebhook, Svix]) {
    expect(() => new Webhook(hook.secret).verify(delivery.body, headers)).not.toThrow()
    expect(() => new Webhook(hook.secret).verify('{}', headers)).toThrow(/signature/i)
    expect(() => new Webhook(hook.secret).verify(delivery.body, signed(hook, delivery, now - 600_000))).toThrow(
      /timestamp/i,
    )
    expect(() => new Webhook(`whsec_${btoa('another secret')}`).verify(delivery.body, headers)).toThrow(/signature/i)
  }
})

test('the secret is made once and kept; a new one keeps the subscription', async () => {
  const { io } = testIo()
  const file = new CredentialsFile(io)
  const first = await hookOf(io, file, URL_A, false)
  expect(first.fresh).toBe(true)
  expect(first.hook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/)
  expect(await hookOf(io, file, URL_A, false)).toEqual({ hook: first.hook, fresh: false })
  const renewed = await hookOf(io, file, URL_A, true)
  expect(renewed).toMatchObject({ fresh: true, hook: { subscription_id: first.hook.subscription_id } })
  expect(renewed.hook.secret).not.toBe(first.hook.secret)
  expect((await hookOf(io, file, 'https://b.example', false)).hook.secret).not.toBe(renewed.hook.secret)
})
