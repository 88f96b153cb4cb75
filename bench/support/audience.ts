import { WebSocket, type ClientOptions } from 'ws'

export interface Listener {
  userId: string
  session: string
  /** Ids of events by the moment (of `performance.now()`) at which this user's socket had them first. */
  sockets: { socket: WebSocket; arrivedAt: Map<string, number> }[]
}

export interface Audience {
  listeners: Listener[]
  projectId: string
  workspaceId: string
}

async function send<T>(url: string, path: string, init: RequestInit): Promise<T> {
  const response = await fetch(url + path, { method: 'POST', ...init })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}

/** One tenant: an owner and members of one workspace, each with so many open sockets. */
export async function openAudience(url: string, users: number, socketsEach: number): Promise<Audience> {
  const owner = await signUp(url, 0)
  const headers = { 'X-Session-Token': owner.session }
  const projects = await fetch(`${url}/v1/projects`, { headers })
  const [project] = ((await projects.json()) as { data: { id: string; workspace_id: string }[] }).data
  if (!project) throw new Error('a new user has a project')
  const listeners = [owner]
  for (let index = 1; index < users; index += 1) {
    const { invitation_url } = await send<{ invitation_url: string }>(
      url,
      `/v1/workspaces/${project.workspace_id}/members`,
      {
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify({ email: `listener${index}@bench.example`, role: 'editor' }),
      },
    )
    listeners.push(await signUp(url, index, new URL(invitation_url).searchParams.get('invitation') ?? ''))
  }
  for (const listener of listeners) {
    listener.sockets = await Promise.all(Array.from({ length: socketsEach }, () => listen(url, listener.session)))
  }
  return { listeners, projectId: project.id, workspaceId: project.workspace_id }
}

async function signUp(url: string, index: number, invitation?: string): Promise<Listener> {
  const form = {
    email: `listener${index}@bench.example`,
    password: 'a password for benches',
    name: `Listener ${index}`,
  }
  const body = new URLSearchParams(invitation ? { ...form, invitation } : form)
  const { user, session_token } = await send<{ user: { id: string }; session_token: string }>(
    url,
    '/auth/register-user',
    { body },
  )
  return { userId: user.id, session: session_token, sockets: [] }
}

/** An open socket past its first frame. */
function listen(url: string, session: string): Promise<Listener['sockets'][number]> {
  const options: ClientOptions = { headers: { 'X-Session-Token': session } }
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/realtime?channels=conversation`, options)
  const arrivedAt = new Map<string, number>()
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.on('message', (data: Buffer) => {
      const { id, type } = JSON.parse(data.toString()) as { id: string; type: string }
      if (type === 'system.status') resolve({ socket, arrivedAt })
      else if (!arrivedAt.has(id)) arrivedAt.set(id, performance.now())
    })
  })
}

export const at = <T>(list: readonly T[], index: number): T => {
  const one = list[index % list.length]
  if (one === undefined) throw new Error('an empty list')
  return one
}

/** Publications under way at once. */
export const PUBLISHERS = 16

/** Publishes `count` events, from all listeners in turn; answers their ids in order. */
export async function publishMany(
  url: string,
  { listeners, projectId }: Audience,
  count: number,
  bodyOf: (index: number) => Record<string, unknown>,
): Promise<string[]> {
  const ids: string[] = []
  let next = 0
  const work = async () => {
    while (next < count) {
      const index = next++
      ids[index] = await publish(url, at(listeners, index), { project_id: projectId, ...bodyOf(index) })
    }
  }
  await Promise.all(Array.from({ length: PUBLISHERS }, work))
  return ids
}

export async function publish(url: string, listener: Listener, body: Record<string, unknown>): Promise<string> {
  const { event_id } = await send<{ event_id: string }>(url, '/api/events/publish', {
    headers: { 'X-Session-Token': listener.session, 'Content-Type': 'application/json' },
    body: JSON.stringify({ type: 'message.new', data: { conversation_id: 'bench' }, ...body }),
  })
  return event_id
}
