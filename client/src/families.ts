import { Call, PageCall, type Page } from './call.ts'
import type { Http, HttpRequest } from './http.ts'
import type { CallOptions } from './options.ts'
import type { Family, Operations } from './types.ts'

export const MEMORY = {
  /** Stores a text, or changes the item that has its `custom_id`. */
  store: 'POST /api/memory/store body',
  retrieve: 'GET /v1/memory/items/{id}',
  /** Finds items by keyword and by meaning, best first. */
  search: 'POST /api/memory/search body',
  /** What to show a model before it answers: one text within `max_tokens`. */
  recall: 'POST /v1/memory/recall body',
  /** Changes what is named. With `ifVersion` it changes this version alone, and is safe to repeat. */
  update: 'PATCH /v1/memory/items/{id} body',
  delete: 'DELETE /v1/memory/items/{id}',
  /** For what is no longer true: no search finds it, and `restore` brings it back. */
  retire: 'POST /v1/memory/items/{id}/retire body',
  restore: 'POST /v1/memory/items/{id}/restore',
  /** Newest first. `for await` goes over all pages. */
  list: 'GET /v1/memory/items query',
  /** Of a project, by name. */
  namespaces: 'GET /v1/memory/namespaces query',
  /** Stores the messages of a conversation. */
  ingest: 'POST /v1/memory/ingest body',
  /** Of a project, by name, with the number of their items. */
  subjects: 'GET /v1/memory/subjects query',
  /** Up to 50 operations, all or nothing if `atomic`. */
  batch: 'POST /api/memory/batch body',
  versions: 'GET /v1/memory/items/{id}/versions query',
  /** Embeds an item again whose embedding failed. */
  embed: 'POST /v1/memory/items/{id}/embed',
  /** Deletes up to 1,000 items by filter; counts them with `dry_run`. */
  deleteMany: 'POST /v1/memory/delete body',
} as const

/** What `memory.ingest` stored, by the id of the conversation. */
export const CONVERSATIONS = {
  /** The one with the newest turn first. */
  list: 'GET /v1/memory/conversations query',
  /** Its turns, in order. */
  retrieve: 'GET /v1/memory/conversations/{conversation_id} query',
  /** Deletes up to 1,000 turns. Call it again while `has_more` is true. */
  delete: 'DELETE /v1/memory/conversations/{conversation_id} query',
} as const

/** Of a subject or a namespace, with a receipt. Needs `admin:workspace`. */
export const ERASURES = {
  /** Counts with `dry_run`. The same request while it runs answers the same erasure. */
  create: 'POST /v1/erasures body',
  /** The receipt, which is kept for good. */
  retrieve: 'GET /v1/erasures/{id}',
  list: 'GET /v1/erasures query',
} as const

export const PROJECTS = {
  create: 'POST /api/projects body',
  list: 'GET /v1/projects query',
  retrieve: 'GET /v1/projects/{id}',
  update: 'PATCH /v1/projects/{id} body',
  delete: 'DELETE /api/projects/{id}',
  /** Lets up to 1,000 stored items expire by the rules of the project; counts them with `dry_run`. */
  applyRetention: 'POST /v1/projects/{id}/retention/apply body',
} as const

export const WORKSPACES = {
  create: 'POST /v1/workspaces body',
  list: 'GET /v1/workspaces query',
  retrieve: 'GET /v1/workspaces/{id}',
  update: 'PATCH /v1/workspaces/{id} body',
  delete: 'DELETE /v1/workspaces/{id}',
} as const

/** Of a workspace, whose id comes first. */
export const MEMBERS = {
  list: 'GET /v1/workspaces/{id}/members query',
  invite: 'POST /v1/workspaces/{id}/members body',
  update: 'PATCH /v1/workspaces/{id}/members/{user_id} body',
  remove: 'DELETE /v1/workspaces/{id}/members/{user_id}',
  resetLink: 'POST /v1/workspaces/{id}/members/{user_id}/reset-link',
  invitations: 'GET /v1/workspaces/{id}/invitations query',
  /** Answers with a new link; the old one ends. */
  renewInvitation: 'POST /v1/workspaces/{id}/invitations/{invitation_id}/renew',
  withdrawInvitation: 'DELETE /v1/workspaces/{id}/invitations/{invitation_id}',
} as const

export const KEYS = {
  /** `key` is shown once: a repeated call answers null in its place. */
  create: 'POST /v1/api-keys body',
  list: 'GET /v1/api-keys query',
  retrieve: 'GET /v1/api-keys/{id} query',
  rotate: 'POST /v1/api-keys/{id}/rotate body',
  delete: 'DELETE /v1/api-keys/{id}',
} as const

export const APPS = {
  create: 'POST /v1/apps body',
  list: 'GET /v1/apps query',
  retrieve: 'GET /v1/apps/{id}',
  update: 'PATCH /v1/apps/{id} body',
  rotateSecret: 'POST /v1/apps/{id}/rotate-secret body',
  delete: 'DELETE /v1/apps/{id}',
} as const

export const EVENTS = { publish: 'POST /api/events/publish body' } as const

export const SUBSCRIPTIONS = {
  create: 'POST /api/events/subscriptions body',
  list: 'GET /api/events/subscriptions query',
  retrieve: 'GET /v1/events/subscriptions/{id}',
  update: 'PATCH /v1/events/subscriptions/{id} body',
  delete: 'DELETE /api/events/subscriptions/{subscription_id}',
  /** What `verifyWebhook` needs. */
  secret: 'GET /v1/events/subscriptions/{id}/secret',
  rotateSecret: 'POST /v1/events/subscriptions/{id}/secret/rotate',
  test: 'POST /v1/events/subscriptions/{id}/test',
  /** Sends again what failed within a range of time. */
  recover: 'POST /v1/events/subscriptions/{id}/recover body',
} as const

export const DELIVERIES = {
  /** Of a subscription, whose id comes first. */
  list: 'GET /v1/events/subscriptions/{id}/deliveries query',
  retrieve: 'GET /v1/events/deliveries/{id}',
  /** What was sent, byte for byte, with a fresh signature. */
  request: 'GET /v1/events/deliveries/{id}/request',
  attempts: 'GET /v1/events/deliveries/{id}/attempts query',
  series: 'GET /v1/events/delivery-series query',
  retry: 'POST /v1/events/deliveries/{id}/retry',
} as const

export const AUDIT = { list: 'GET /v1/audit query' } as const

export const USAGE = { retrieve: 'GET /v1/usage query', series: 'GET /v1/usage/series query' } as const

export const ME = {
  retrieve: 'GET /api/users/me',
  update: 'PATCH /api/users/me body',
  delete: 'DELETE /api/users/me body',
  export: 'GET /v1/users/me/export',
  /** Names by id; null for an id that you cannot see. */
  names: 'POST /v1/names body',
  changePassword: 'POST /v1/users/me/password body',
  sessions: 'GET /v1/sessions query',
  endSession: 'DELETE /v1/sessions/{id}',
  endOtherSessions: 'DELETE /v1/sessions',
  grants: 'GET /v1/grants query',
  endGrant: 'DELETE /v1/grants/{id}',
  invitations: 'GET /v1/invitations query',
  acceptInvitation: 'POST /v1/invitations/{id}/accept',
  refuseInvitation: 'POST /v1/invitations/{id}/refuse',
} as const

/** The functions of a table of operations. */
export function familyOf<T extends Operations>(http: Http, operations: T): Family<T> {
  const entries = Object.entries(operations).map(([name, operation]) => {
    const [method = '', path = '', input] = operation.split(' ')
    const count = path.split('{').length - 1
    const invoke = (...args: unknown[]) => {
      const ids = args.slice(0, count) as string[]
      const options = args[input === undefined ? count : count + 1] as CallOptions | undefined
      return callOf(http, { method, path, ids, options, ...(input === undefined ? {} : { [input]: args[count] }) })
    }
    return [name, invoke]
  })
  return Object.fromEntries(entries) as Family<T>
}

/** The promise of a request; that of a list if `for await` asks for more. */
export function callOf<T>(http: Http, request: HttpRequest): Call<T> {
  const send = (query: object = {}) => http.send<T & Page>({ ...request, query: { ...request.query, ...query } })
  return request.method === 'GET' ? new PageCall(send(), (cursor) => send({ cursor })) : new Call(send())
}
