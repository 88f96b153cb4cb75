/** Texts of one batch, and calls at once. */
const BATCH = 50
const CLIENTS = 4

/** A text, with the conversation that it is a turn of and its time where it has them. */
export interface Text {
  id: string
  text: string
  conversation_id?: string | undefined
  occurred_at?: string | undefined
}

/** A result: the id under which its text was stored, and its score. */
export interface Found {
  id: string
  score: number
}

export interface Client {
  /** Stores the texts under their ids in a new project, in their order, and answers its id. */
  store(name: string, texts: readonly Text[]): Promise<string>
  /** The results, best first. */
  search(project: string, question: { query: string; mode: string; limit: number }): Promise<Found[]>
}

/** A user of the service who has just signed up. */
export async function startClient(url: string): Promise<Client> {
  const form = new URLSearchParams({
    email: 'quality@bench.example',
    password: 'a password for benches',
    name: 'Bench',
  })
  const signUp = await fetch(`${url}/auth/register-user`, { method: 'POST', body: form })
  const { session_token: session } = (await signUp.json()) as { session_token: string }

  async function send<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(url + path, {
      method,
      headers: { 'X-Session-Token': session, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }

  const { data } = await send<{ data: { workspace_id: string }[] }>('GET', '/v1/projects')
  const workspace_id = data[0]?.workspace_id

  return {
    async store(name, texts) {
      const { id: project_id } = await send<{ id: string }>('POST', '/api/projects', { name, workspace_id })
      for (let at = 0; at < texts.length; at += BATCH) {
        const operations = texts.slice(at, at + BATCH).map(({ id, text, conversation_id, occurred_at }) => ({
          op: 'store',
          content: text,
          custom_id: id,
          context: { project_id, conversation_id },
          occurred_at,
        }))
        const reply = await send<{ error_count: number }>('POST', '/api/memory/batch', { operations })
        if (reply.error_count > 0) throw new Error(`a batch failed: ${JSON.stringify(reply)}`)
      }
      return project_id
    },

    async search(project_id, question) {
      const body = { ...question, context: { project_id } }
      const reply = await send<{ results: { custom_id: string; score: number }[] }>('POST', '/api/memory/search', body)
      return reply.results.map(({ custom_id: id, score }) => ({ id, score }))
    },
  }
}

/** Runs `work` for all items, a few at once. */
export async function each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let next = 0
  const client = async () => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item)
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
}
