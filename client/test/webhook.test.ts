import { Webhook as StandardWebhook } from 'standardwebhooks'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { verifyWebhook, WebhookVerificationError } from '../src/index.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const OTHER = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
const NOW = new Date('2026-11-22T12:00:00Z')
const BODY = JSON.stringify({
  subscription_id: 'sub_1',
  events: [{ id: 'evt_1', type: 'memory.created', channel: 'memory', timestamp: NOW, data: { memory_id: 'mem_ä' } }],
  timestamp: NOW,
})

beforeEach(() => void vi.useFakeTimers({ now: NOW, toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

function signed({ body = BODY, secret = SECRET, at = NOW } = {}) {
  const signature = new StandardWebhook(secret).sign('dlv_1', at, body)
  return {
    'webhook-id': 'dlv_1',
    'webhook-timestamp': String(at.getTime() / 1_000),
    'webhook-signature': signature,
  }
}
const request = (headers: Record<string, string>, body = BODY) =>
  new Request('https://example.com/hook', { method: 'POST', headers, body })

test('a signed request is its body, with its events told apart by type', async () => {
  const { subscription_id, events } = await verifyWebhook(request(signed()), SECRET)
  const [event] = events
  expect(subscription_id).toBe('sub_1')
  expect(event?.type === 'memory.created' && event.data.memory_id).toBe('mem_ä')
})

test('headers and body of another framework do as well', async () => {
  const headers = { ...signed(), 'set-cookie': ['a', 'b'], 'x-none': undefined }
  expect((await verifyWebhook({ headers, body: BODY }, SECRET)).subscription_id).toBe('sub_1')
  const body = new TextEncoder().encode(BODY)
  expect((await verifyWebhook({ headers: new Headers(signed()), body }, SECRET)).subscription_id).toBe('sub_1')
})

test('while secrets rotate, either may have signed', async () => {
  expect((await verifyWebhook(request(signed({ secret: OTHER })), [SECRET, OTHER])).events).toHaveLength(1)
  const both = signed()
  both['webhook-signature'] = `v1a,xyz ${signed({ secret: OTHER })['webhook-signature']} ${both['webhook-signature']}`
  expect((await verifyWebhook(request(both), SECRET)).events).toHaveLength(1)
})

const minutes = (count: number) => new Date(NOW.getTime() + count * 60_000)

test.each([
  ['another secret', signed({ secret: OTHER }), BODY],
  ['another body', signed(), BODY.replace('mem_ä', 'mem_b')],
  ['another id', { ...signed(), 'webhook-id': 'dlv_2' }, BODY],
  ['another time', { ...signed(), 'webhook-timestamp': String(NOW.getTime() / 1_000 + 1) }, BODY],
  ['no signature', { ...signed(), 'webhook-signature': '' }, BODY],
  ['a signature of another version', { ...signed(), 'webhook-signature': 'v2,AAAA' }, BODY],
  ['a malformed signature', { ...signed(), 'webhook-signature': 'v1,%%%' }, BODY],
  ['no time', { ...signed(), 'webhook-timestamp': 'soon' }, BODY],
  ['more than five minutes past', signed({ at: minutes(-5.1) }), BODY],
  ['more than five minutes ahead', signed({ at: minutes(5.1) }), BODY],
  ['no headers', {}, BODY],
])('a request with %s is refused', async (_, headers, body) => {
  const failure = await verifyWebhook(request(headers as Record<string, string>, body), SECRET).catch((e: unknown) => e)
  expect(failure).toBeInstanceOf(WebhookVerificationError)
  expect(failure).toMatchObject({ code: 'invalid_signature' })
})

test('a request of five minutes ago is taken', async () => {
  expect((await verifyWebhook(request(signed({ at: minutes(-5) })), SECRET)).events).toHaveLength(1)
})

test.each(['', 'whsec_', 'whsec_%%%'])('the secret "%s" verifies nothing', async (secret) => {
  await expect(verifyWebhook(request(signed()), secret)).rejects.toThrow(WebhookVerificationError)
})
