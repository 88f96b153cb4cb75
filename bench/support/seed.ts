import type { Server } from '../../test/e2e/support/server.ts'
import type { Texts } from './texts.ts'
import { turnOf } from './turns.ts'

export interface BenchUser {
  keys: string[]
  session: string
  projectId: string
  items: string[]
}

const PASSWORD = 'a password for benches'
const KEYS_A_USER = 5
const MAX_BATCH = 50

async function send<T>(url: string, path: string, init: RequestInit): Promise<T> {
  const response = await fetch(url + path, { method: 'POST', ...init })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}

const json = (body: unknown, headers: Record<string, string>): RequestInit => ({
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

/** Signs users up, with five keys each (a key has 5 requests a second). Every second user joins the project of the one before. */
export async function seedUsers(url: string, count: number): Promise<BenchUser[]> {
  const users: BenchUser[] = []
  for (let index = 0; index < count; index += 2) {
    const owner = await signUp(url, index)
    const email = `user${index + 1}@bench.example`
    const invited = await send<{ invitation_url: string }>(
      url,
      `/v1/workspaces/${owner.workspaceId}/members`,
      json({ email, role: 'editor' }, { 'X-Session-Token': owner.session }),
    )
    const invitation = new URL(invited.invitation_url).searchParams.get('invitation') ?? ''
    const member = await signUp(url, index + 1, invitation)
    for (const one of [owner, member]) {
      users.push({
        keys: await makeKeys(url, one.session),
        session: one.session,
        projectId: owner.projectId,
        items: [],
      })
    }
  }
  return users
}

async function signUp(url: string, index: number, invitation?: string) {
  const form = new URLSearchParams({ email: `user${index}@bench.example`, password: PASSWORD, name: `User ${index}` })
  if (invitation) form.set('invitation', invitation)
  const { session_token: session } = await send<{ session_token: string }>(url, '/auth/register-user', { body: form })
  const projects = await fetch(`${url}/v1/projects`, { headers: { 'X-Session-Token': session } })
  const { data } = (await projects.json()) as { data: { id: string; workspace_id: string }[] }
  const [project] = data
  if (!project) throw new Error('a new user has a project')
  return { session, projectId: project.id, workspaceId: project.workspace_id }
}

async function makeKeys(url: string, session: string): Promise<string[]> {
  const body = { name: 'bench', scopes: ['read:memory', 'write:memory'] }
  const make = () => send<{ key: string }>(url, '/v1/api-keys', json(body, { 'X-Session-Token': session }))
  const keys = await Promise.all(Array.from({ length: KEYS_A_USER }, make))
  return keys.map(({ key }) => key)
}

/** The namespace of an item where a project has several. */
export const namespaceOf = (nth: number, namespaces: number): string => `n:${nth % namespaces}`

/**
 * Stores `count` items by batches, spread evenly over the projects and their namespaces; with `turns`, turns of conversations.
 * Answers items a second.
 */
export async function seedItems(
  url: string,
  users: BenchUser[],
  count: number,
  texts: Texts,
  { namespaces = 1, turns = false } = {},
): Promise<number> {
  const owners = users.filter((_, index) => index % 2 === 0)
  const portion = Math.max(1, Math.min(MAX_BATCH, Math.floor(count / owners.length)))
  const startedAt = performance.now()
  let next = 0
  const worker = async () => {
    while (next < count) {
      const at = next
      next += portion
      const index = ((at / portion) % owners.length) * 2
      const [owner, member] = [users[index], users[index + 1]]
      if (!owner || !member) throw new Error('every project has two users')
      const ofProject = Math.floor(at / portion / owners.length) * portion
      const operations = Array.from({ length: Math.min(portion, count - at) }, (_, nth) => {
        const { conversation_id, ...item } = turns
          ? turnOf(ofProject + nth, texts)
          : { content: texts.text(40), conversation_id: undefined }
        const namespace = namespaces > 1 ? { namespace: namespaceOf(ofProject + nth, namespaces) } : {}
        return { op: 'store', ...item, context: { project_id: owner.projectId, conversation_id, ...namespace } }
      })
      const key = texts.pick(owner.keys)
      const { results } = await send<{ results: { id: string }[] }>(
        url,
        '/api/memory/batch',
        json({ operations }, { 'X-API-Key': key }),
      )
      for (const { id } of results) {
        owner.items.push(id)
        member.items.push(id)
      }
    }
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  return count / ((performance.now() - startedAt) / 1_000)
}

/** Waits until all items are embedded. Answers the seconds it took. */
export async function waitUntilEmbedded(server: Server, timeoutSeconds: number): Promise<number> {
  const database = await server.miniflare.getD1Database('DB')
  const startedAt = performance.now()
  for (;;) {
    const seconds = (performance.now() - startedAt) / 1_000
    const row = await database
      .prepare(`select count(*) as left from memory_items where embedding_status <> 'completed' and deleted_at is null`)
      .first<{ left: number }>()
    if (row?.left === 0) return seconds
    if (seconds > timeoutSeconds) throw new Error(`${row?.left} items are not embedded after ${timeoutSeconds} s`)
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}
