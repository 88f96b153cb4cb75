import { expect } from 'vitest'
import { newReceiver } from './receiver.ts'
import { writerFor, type Writer } from './memory.ts'
import { addMember, db, newTenant, type Tenant } from './world.ts'
import { settled } from './webhooks.ts'

/** Strings that are stored wherever a client can store one, and that nothing else contains. */
export const CANARY = {
  userName: 'canary-user-name',
  avatar: 'https://canary-avatar.example/a.png',
  workspaceName: 'canary-workspace-name',
  projectName: 'canary-project-name',
  projectDescription: 'canary-project-description',
  projectIcon: 'canary-project-icon',
  memberName: 'canary-member-name',
  text: 'canary-text',
  type: 'text/x-canary-type',
  metadataKey: 'canary-metadata-key',
  metadataValue: 'canary-metadata-value',
  tag: 'canary-tag',
  customId: 'canary-custom-id',
  namespace: 'canary-namespace',
  conversation: 'canary-conversation',
  document: 'canary-document',
  session: 'canary-session',
  subject: 'canary-subject',
  occurred: '2001-02-03',
  channel: 'canary-channel',
  eventType: 'canary_event.happened',
  filter: 'canary-filter',
  url: 'canary-hook',
  headerName: 'x-canary-header',
  headerValue: 'canary-header-value',
  misspelt: 'offerin',
  failure: 'canary-failure',
} as const

export const CANARY_ITEM = {
  content: {
    text: CANARY.text,
    type: CANARY.type,
    metadata: { [CANARY.metadataKey]: CANARY.metadataValue },
  },
  context: {
    namespace: CANARY.namespace,
    conversation_id: CANARY.conversation,
    document_id: CANARY.document,
    session_id: CANARY.session,
    subject: CANARY.subject,
  },
  tags: [CANARY.tag],
  custom_id: CANARY.customId,
  occurred_at: `${CANARY.occurred}T04:05:06.000Z`,
}

export interface Planted {
  owner: Writer
  member: Tenant
  /** What no answer may contain, unless the request does. */
  canaries: readonly string[]
  itemId: string
  subscriptionId: string
  /** Its channel is almost a built-in one. */
  misspeltId: string
  deliveryId: string
}

/** A tenant whose resources hold the canaries. */
export async function plantCanaries(): Promise<Planted> {
  const owner = await writerFor(await newTenant())
  const member = await addMember(owner, 'editor')
  const send = async (method: string, path: string, body: unknown, by = owner) => {
    const answer = await by.send(method, path, body)
    expect({ path, status: answer.status, text: answer.text }).toMatchObject({ status: expect.toSatisfy(isSuccess) })
    return answer.body
  }
  await send('PATCH', '/api/users/me', { name: CANARY.userName, avatar_url: CANARY.avatar })
  await send('PATCH', '/api/users/me', { name: CANARY.memberName }, await writerFor(member))
  await send('PATCH', `/v1/workspaces/${owner.workspaceId}`, { name: CANARY.workspaceName })
  await send('PATCH', `/v1/projects/${owner.projectId}`, {
    name: CANARY.projectName,
    description: CANARY.projectDescription,
    icon: CANARY.projectIcon,
  })
  const item = await send('POST', '/api/memory/store', CANARY_ITEM)
  const { url } = newReceiver()
  const subscription = await send('POST', '/api/events/subscriptions', {
    channels: [CANARY.channel],
    events: [CANARY.eventType],
    filters: { conversation_id: CANARY.filter },
    delivery: { method: 'webhook', url: `${url}/${CANARY.url}`, headers: { [CANARY.headerName]: CANARY.headerValue } },
  })
  const misspelt = await send('POST', '/api/events/subscriptions', {
    channels: [CANARY.misspelt],
    events: [CANARY.eventType],
    delivery: { method: 'webhook', url },
  })
  const tested = await send('POST', `/v1/events/subscriptions/${subscription.subscription_id}/test`, undefined)
  await settled(subscription.subscription_id, { status: 'delivered' })
  await db.write('update deliveries set last_error = :failure where id = :id', {
    failure: CANARY.failure,
    id: tested.delivery_id,
  })
  return {
    owner,
    member,
    canaries: [...Object.values(CANARY), owner.email, member.email],
    itemId: item.id,
    subscriptionId: subscription.subscription_id,
    misspeltId: misspelt.subscription_id,
    deliveryId: tested.delivery_id,
  }
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300
