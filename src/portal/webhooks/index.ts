import { deliveryRoutes } from './delivery.tsx'
import { webhookDetailRoutes } from './detail.tsx'
import { editWebhookRoutes } from './edit.tsx'
import { webhookListRoute } from './list.tsx'
import { newWebhookRoutes } from './new.tsx'

/** The static path `/new` comes first: the path of a webhook's page would match it as an id. */
export const webhookRoutes = [
  webhookListRoute,
  ...newWebhookRoutes,
  ...webhookDetailRoutes,
  ...editWebhookRoutes,
  ...deliveryRoutes,
]
