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

/** The headers of every attempt besides the signature and the custom ones. */
export const FIXED_HEADERS = { 'Content-Type': 'application/json', 'User-Agent': 'Recollect-Webhook/1' } as const

/** The body of every attempt of a delivery: the stored bytes of the event in the envelope of contract §5. */
export const webhookBody = (
  delivery: Pick<ClaimedDelivery, 'subscription_id' | 'delivery_created_at'>,
  event: Parameters<typeof toMessageText>[0],
): string =>
  `{"subscription_id":"${delivery.subscription_id}","events":[${toMessageText(event)}],` +
  `"timestamp":"${iso(delivery.delivery_created_at)}"}`

/** The request of one attempt, signed. */
export async function webhookRequest(system: System, delivery: ClaimedDelivery): Promise<WebhookRequest> {
  const now = system.now()
  const body = webhookBody(delivery, delivery.event)
  const subscription = { ...delivery, id: delivery.subscription_id }
  const secrets = await signingSecrets(system, subscription, now)
  return {
    url: delivery.url,
    body,
    headers: {
      ...(await customHeaders(system, subscription)),
      ...FIXED_HEADERS,
      ...signatureHeaders(secrets, delivery.delivery_id, now, body),
    },
  }
}
