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

/** A turn of a conversation, as somebody said it. */
export interface Said {
  conversation_id: string
  role: 'user' | 'assistant'
  text: string
}

/** An item of a recall. */
export interface Recalled {
  text: string
}

export interface Client {
  /** Stores the texts under their ids in a new project, in their order, and answers its id. */
  store(name: string, texts: readonly Text[]): Promise<string>
  /** Stores the turns, in their order, in a new project, and answers its id. */
  tell(name: string, turns: readonly Said[]): Promise<string>
  tellMore(project: string, turns: readonly Said[]): Promise<void>
  /** What a recall shows. */
  recall(project: string, input: { query: string; max_tokens: number }): Promise<Recalled[]>
  /** The results, best first. */
  search(
    project: string,
    question: { query: string; mode: string; limit: number; reference_date?: string },
  ): Promise<Found[]>
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

  const send = <T>(method: string, path: string, body?: unknown): Promise<T> =>
    sendText(method, path, 'application/json', body === undefined ? undefined : JSON.stringify(body))

  async function sendText<T>(method: string, path: string, type: string, body: string | undefined): Promise<T> {
    const headers = { 'X-Session-Token': session, 'Content-Type': type }
    const response = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body }) })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }

  const { data } = await send<{ data: { workspace_id: string }[] }>('GET', '/v1/projects')
  const workspace_id = data[0]?.workspace_id

  const newProject = async (name: string): Promise<string> =>
    (await send<{ id: string }>('POST', '/api/projects', { name, workspace_id })).id

  /** The last turn was said a second ago, each other a second before the next. */
  async function tellMore(project_id: string, turns: readonly Said[]): Promise<void> {
    const now = Date.now()
    const lines = turns.map(({ conversation_id, role, text }, at) =>
      JSON.stringify({
        content: text,
        context: { conversation_id },
        occurred_at: new Date(now - (turns.length - at) * 1_000).toISOString(),
        turn: { role },
      }),
    )
    const path = `/v1/memory/import?project_id=${project_id}`
    const { failed } = await sendText<{ failed: number }>('POST', path, 'application/x-ndjson', lines.join('\n'))
    if (failed > 0) throw new Error(`an import failed: ${failed} lines`)
  }

  return {
    async tell(name, turns) {
      const project = await newProject(name)
      await tellMore(project, turns)
      return project
    },

    tellMore,

    async recall(project_id, input) {
      const body = { ...input, format: 'items', context: { project_id } }
      return (await send<{ items: Recalled[] }>('POST', '/v1/memory/recall', body)).items
    },

    async store(name, texts) {
      const project_id = await newProject(name)
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
