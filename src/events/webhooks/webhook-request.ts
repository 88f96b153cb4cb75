import { iso } from '../../core/values/clock.ts'
import type { System } from '../../core/context.ts'
import { toMessageText } from '../event.ts'
import { customHeaders, signingSecrets } from '../subscriptions/sealed-fields.ts'
import type { ClaimedDelivery } from './claim.ts'
import { signatureHeaders } from './sign.ts'

export interface WebhookRequest {
  url: string
  headers: Record<string, string>
  body: string
}

/** The request of one attempt: the stored bytes of the event in the envelope of contract §5, signed. */
export async function webhookRequest(system: System, delivery: ClaimedDelivery): Promise<WebhookRequest> {
  const now = system.now()
  const body =
    `{"subscription_id":"${delivery.subscription_id}","events":[${toMessageText(delivery.event)}],` +
    `"timestamp":"${iso(delivery.delivery_created_at)}"}`
  const subscription = { ...delivery, id: delivery.subscription_id }
  const secrets = await signingSecrets(system, subscription, now)
  return {
    url: delivery.url,
    body,
    headers: {
      ...(await customHeaders(system, subscription)),
      'Content-Type': 'application/json',
      'User-Agent': 'Recollect-Webhook/1',
      ...signatureHeaders(secrets, delivery.delivery_id, now, body),
    },
  }
}
