/** The given types and the channel that each travels on (contract §5). */
export const CHANNEL_OF = {
  'message.new': 'conversation',
  'message.updated': 'conversation',
  'conversation.created': 'conversation',
  'conversation.updated': 'conversation',
  'typing.start': 'conversation',
  'typing.stop': 'conversation',
  'memory.created': 'memory',
  'memory.updated': 'memory',
  'memory.deleted': 'memory',
  'memory.embedding_complete': 'memory',
  'offering.installed': 'offering',
  'offering.uninstalled': 'offering',
  'offering.updated': 'offering',
  'offering.status_change': 'offering',
  'system.notification': 'system',
  'system.status': 'system',
  'system.maintenance': 'system',
} as const
export type EventType = keyof typeof CHANNEL_OF

/** The channel of a given type; undefined for a type of the customer's own. */
export const channelOf = (type: string): string | undefined =>
  Object.hasOwn(CHANNEL_OF, type) ? CHANNEL_OF[type as EventType] : undefined

/** A typing indicator counts for this long after it was published (contract §5). */
export const TYPING_LIFE_MS = 10_000

/** Without history and without retries (contract §5). */
export const isEphemeral = (type: string): boolean => type === 'typing.start' || type === 'typing.stop'

/** The keys of a subscription's filters (contract §5). */
export const FILTER_KEYS = ['conversation_id', 'project_id', 'workspace_id', 'namespace', 'scope'] as const
export type FilterKey = (typeof FILTER_KEYS)[number]
