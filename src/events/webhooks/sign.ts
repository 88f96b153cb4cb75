import { Webhook } from 'standardwebhooks'
import type { Random } from '../../core/values/ids.ts'

const SECRET_BYTES = 24

/** A signing secret in the form of Standard Webhooks: `whsec_` and base64 of 24 random bytes. */
export const newSecret = (random: Random): string => `whsec_${btoa(String.fromCharCode(...random(SECRET_BYTES)))}`

/**
 * The three headers of Standard Webhooks. During a rotation both secrets sign, so that a receiver with either accepts the
 * message. `at` is the instant of this attempt, in milliseconds.
 */
export function signatureHeaders(
  secrets: readonly string[],
  id: string,
  at: number,
  body: string,
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const when = new Date(at)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, when, body)).join(' '),
  }
}
