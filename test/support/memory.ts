import { call, newSession, newTenant, type Answer, type Tenant } from './world.ts'

export interface Writer extends Tenant {
  /** Of a session, which has no limit per key. */
  headers: Record<string, string>
  send<T = any>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer<T>>
  store<T = any>(body: unknown, headers?: Record<string, string>): Promise<Answer<T>>
  get<T = any>(id: string, headers?: Record<string, string>): Promise<Answer<T>>
}

/** A user who acts through a session. */
export async function writerFor(tenant: Tenant): Promise<Writer> {
  const own = await newSession(tenant)
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    call(method, path, { headers: { ...own, ...headers }, ...(body === undefined ? {} : { body }) })
  return {
    ...tenant,
    headers: own,
    send,
    store: (body, headers) => send('POST', '/api/memory/store', body, headers),
    get: (id, headers) => send('GET', `/api/memory/retrieve?id=${id}`, undefined, headers),
  }
}

/** A tenant of its own for each test. */
export const newWriter = async (): Promise<Writer> => writerFor(await newTenant())
