/** The codes of `system.notification` that the service sends. Nobody else publishes one (contract §5). */
export const NOTIFICATION_CODES = [
  'api_key.created',
  'deliveries.expired',
  'invitation.accepted',
  'invitation.received',
  'invitation.refused',
  'reset_link.created',
  'session.new_device',
  'subscription.disabled',
  'tenant.owner',
] as const
export type NotificationCode = (typeof NOTIFICATION_CODES)[number]
