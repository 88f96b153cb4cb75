import { WebSocket, type ClientOptions } from 'ws'

export interface Recipient {
  userId: string
  session: string
  /** When a socket first received each event, by its id; milliseconds of `performance.now()`. */
  sockets: { socket: WebSocket; arrivedAt: Map<string, number> }[]
}

export interface Audience {
  recipients: Recipient[]
  projectId: string
}

async function send<T>(url: string, path: string, init: RequestInit): Promise<T> {
  const response = await fetch(url + path, { method: 'POST', ...init })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}

/** Signs up one tenant: the owner and the members of one workspace, each with `socketsEach` open sockets. */
export async function openAudience(url: string, users: number, socketsEach: number): Promise<Audience> {
  const owner = await signUp(url, 0)
  const headers = { 'X-Session-Token': owner.session }
  const projects = await fetch(`${url}/v1/projects`, { headers })
  const [project] = ((await projects.json()) as { data: { id: string; workspace_id: string }[] }).data
  if (!project) throw new Error('a new user has a project')
  const recipients = [owner]
  for (let index = 1; index < users; index += 1) {
    const { invitation_url } = await send<{ invitation_url: string }>(
      url,
      `/v1/workspaces/${project.workspace_id}/members`,
      {
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify({ email: `recipient${index}@bench.example`, role: 'editor' }),
      },
    )
    recipients.push(await signUp(url, index, new URL(invitation_url).searchParams.get('invitation') ?? ''))
  }
  for (const recipient of recipients) {
    recipient.sockets = await Promise.all(Array.from({ length: socketsEach }, () => openSocket(url, recipient.session)))
  }
  return { recipients, projectId: project.id }
}

async function signUp(url: string, index: number, invitation?: string): Promise<Recipient> {
  const form = {
    email: `recipient${index}@bench.example`,
    password: 'a password for benches',
    name: `Recipient ${index}`,
  }
  const body = new URLSearchParams(invitation ? { ...form, invitation } : form)
  const { user, session_token } = await send<{ user: { id: string }; session_token: string }>(
    url,
    '/auth/register-user',
    { body },
  )
  return { userId: user.id, session: session_token, sockets: [] }
}

/** Opens a socket and waits for its first frame. */
function openSocket(url: string, session: string): Promise<Recipient['sockets'][number]> {
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

/** Concurrent publications. */
export const PUBLISHERS = 16

/** Publishes `count` events from all recipients in turn. Answers their ids in order. */
export async function publishMany(
  url: string,
  { recipients, projectId }: Audience,
  count: number,
  bodyOf: (index: number) => Record<string, unknown>,
): Promise<string[]> {
  const ids: string[] = []
  let next = 0
  const work = async () => {
    while (next < count) {
      const index = next++
      ids[index] = await publish(url, at(recipients, index), { project_id: projectId, ...bodyOf(index) })
    }
  }
  await Promise.all(Array.from({ length: PUBLISHERS }, work))
  return ids
}

export async function publish(url: string, recipient: Recipient, body: Record<string, unknown>): Promise<string> {
  const { event_id } = await send<{ event_id: string }>(url, '/api/events/publish', {
    headers: { 'X-Session-Token': recipient.session, 'Content-Type': 'application/json' },
    body: JSON.stringify({ type: 'message.new', data: { conversation_id: 'bench' }, ...body }),
  })
  return event_id
}
