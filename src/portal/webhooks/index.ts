import { deliveryRoutes } from './deliveries.tsx'
import { webhookDetailRoutes } from './detail.tsx'
import { editWebhookRoutes } from './edit.tsx'
import { webhookListRoute } from './list.tsx'
import { newWebhookRoutes } from './new.tsx'

/** "New" before a webhook's page, which would take it for an id. */
export const webhookRoutes = [
  webhookListRoute,
  ...newWebhookRoutes,
  ...webhookDetailRoutes,
  ...editWebhookRoutes,
  ...deliveryRoutes,
]
