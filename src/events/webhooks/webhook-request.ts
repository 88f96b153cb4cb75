import { iso } from '../../core/values/clock.ts'
import type { System } from '../../core/context.ts'
import type { Claimed } from './claim.ts'
import { toMessageText, type EventRow } from '../event.ts'
import { customHeaders, signingSecrets } from '../subscriptions/sealed-fields.ts'
import { signatureHeaders } from './sign.ts'

export interface WebhookRequest {
  url: string
  headers: Record<string, string>
  body: string
}

/** The stored bytes of the event in the envelope of contract §5, signed for this attempt. */
export async function webhookRequest(system: System, one: Claimed, event: EventRow): Promise<WebhookRequest> {
  const now = system.now()
  const body =
    `{"subscription_id":"${one.subscription_id}","events":[${toMessageText(event)}],` +
    `"timestamp":"${iso(one.delivery_created_at)}"}`
  const subscription = { ...one, id: one.subscription_id }
  const secrets = await signingSecrets(system, subscription, now)
  return {
    url: one.url,
    body,
    headers: {
      ...(await customHeaders(system, subscription)),
      'Content-Type': 'application/json',
      'User-Agent': 'Recollect-Webhook/1',
      ...signatureHeaders(secrets, one.delivery_id, now, body),
    },
  }
}
