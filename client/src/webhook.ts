import { problemOf, WebhookVerificationError } from './errors.ts'
import type { RecollectEvent, Webhook } from './events.ts'

/** A `Request`, or what another framework has of it: its headers, and its body before any parsing. */
export type WebhookRequest =
  | Request
  | { headers: Headers | Record<string, string | string[] | undefined>; body: string | Uint8Array }

const TOLERANCE_SECONDS = 5 * 60

/**
 * Checks the signature and the age of a webhook (Standard Webhooks) and returns its body.
 * Throws `WebhookVerificationError`: answer it with 400. Drop repeats by `events[0].id`.
 * @param secret `whsec_…` of the subscription; several while a rotation lasts.
 */
export async function verifyWebhook<Event = RecollectEvent>(
  request: WebhookRequest,
  secret: string | readonly string[],
): Promise<Webhook<Event>> {
  const headers = request.headers instanceof Headers ? request.headers : new Headers(flat(request.headers))
  const raw = request instanceof Request ? new Uint8Array(await request.arrayBuffer()) : bytesOf(request.body)
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) => headers.get(`webhook-${name}`))
  const age = Math.abs(new Date().getTime() / 1_000 - Number(timestamp))
  if (!id || !timestamp || !signatures) throw refusal('The headers of a webhook are missing.')
  if (!(age <= TOLERANCE_SECONDS)) throw refusal('The timestamp of the webhook is too old or in the future.')
  const signed = bytesOf(`${id}.${timestamp}.`, raw)
  for (const each of [secret].flat()) {
    const bytes = decode(each)
    // Anybody can sign with a secret that is not there.
    if (bytes.length === 0) throw refusal('The secret is empty or is not a webhook secret.')
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
    for (const signature of signatures.split(' ')) {
      const [version, value = ''] = signature.split(',')
      if (version === 'v1' && (await crypto.subtle.verify('HMAC', key, decode(value), signed)))
        return JSON.parse(new TextDecoder().decode(raw)) as Webhook<Event>
    }
  }
  throw refusal('The signature does not match.')
}

const refusal = (detail: string) => new WebhookVerificationError(problemOf('invalid_signature', detail))

const flat = (headers: Record<string, string | string[] | undefined>): [string, string][] =>
  Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))

function bytesOf(text: string | Uint8Array, more = new Uint8Array()): Uint8Array<ArrayBuffer> {
  const head = typeof text === 'string' ? new TextEncoder().encode(text) : text
  const all = new Uint8Array(head.length + more.length)
  all.set(head)
  all.set(more, head.length)
  return all
}

/** Base64, with or without the prefix of a secret. No bytes where it is malformed: nothing verifies against them. */
function decode(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text.replace(/^whsec_/, '')), (char) => char.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}
