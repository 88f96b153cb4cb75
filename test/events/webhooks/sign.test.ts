import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as Svix } from 'svix'
import { expect, test } from 'vitest'
import { systemRandom } from '../../../src/core/values/ids.ts'
import { newSecret, signatureHeaders } from '../../../src/events/webhooks/sign.ts'

/** The specification in ten lines, which share no code with the service. */
async function verifyByHand(secret: string, headers: Record<string, string>, body: string): Promise<boolean> {
  const raw = Uint8Array.from(atob(secret.slice('whsec_'.length)), (char) => char.charCodeAt(0))
  const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(signed)))
  const expected = `v1,${btoa(String.fromCharCode(...mac))}`
  return (headers['webhook-signature'] ?? '').split(' ').includes(expected)
}

const verifiers = {
  'plain HMAC': verifyByHand,
  standardwebhooks: async (secret: string, headers: Record<string, string>, body: string) =>
    accepts(() => new StandardWebhook(secret).verify(body, headers)),
  svix: async (secret: string, headers: Record<string, string>, body: string) =>
    accepts(() => new Svix(secret).verify(body, headers)),
}

function accepts(verify: () => unknown): boolean {
  try {
    verify()
    return true
  } catch {
    return false
  }
}

const body = '{"events":[{"data":{"text":"héllo ✓ 😀"}}]}'
const [current, previous, foreign] = [newSecret(systemRandom), newSecret(systemRandom), newSecret(systemRandom)]

test.each(Object.entries(verifiers))(
  '%s accepts, also while a secret is rotated, and refuses what was tampered with',
  async (_, verify) => {
    const headers = { ...signatureHeaders([current, previous], 'dlv_1', Date.now(), body) }
    expect(headers['webhook-signature'].split(' ')).toHaveLength(2)
    expect(await verify(current, headers, body)).toBe(true)
    expect(await verify(previous, headers, body)).toBe(true)
    expect(await verify(foreign, headers, body)).toBe(false)
    expect(await verify(current, headers, body.replace('héllo', 'hello'))).toBe(false)
    expect(await verify(current, { ...headers, 'webhook-id': 'dlv_2' }, body)).toBe(false)
    const later = String(Number(headers['webhook-timestamp']) + 1)
    expect(await verify(current, { ...headers, 'webhook-timestamp': later }, body)).toBe(false)
  },
)

test('a secret is whsec_ and the base64 of 24 bytes', () => {
  expect(current).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/)
})
