import { storable } from '../../storable.ts'
import type { Deployment } from '../config/credentials.ts'

export const BUDGET_MS = 800
const MAX_QUERY_CHARACTERS = 4_096
/** A body has at most 1 MiB. */
const MAX_PROMPT_CHARACTERS = 131_072
const PROMPT_TOKENS = 1_000
const SESSION_TOKENS = 800
/** Agents cut a longer text, or keep it in a file. */
export const MAX_CHARACTERS = 9_000
const MAX_ANSWER_BYTES = 64 * 1_024

export interface Question {
  url: string
  credential: Record<string, string>
  namespace: string
  project: string | null
  /** The agent has this conversation in front of it. */
  conversation: string
  /** null: what is pinned and what is newest. */
  prompt: string | null
}

/** The header of a login's credential; null where there is none, or one that has expired. */
export function credentialOf({ api_key, oauth }: Deployment, now: number): Record<string, string> | null {
  if (api_key !== undefined) return { 'X-API-Key': api_key }
  return oauth && oauth.expires_at > now + BUDGET_MS ? { Authorization: `Bearer ${oauth.access_token}` } : null
}

/** What the service recalls; empty where nothing is relevant. Fails at `signal`, and at an answer of another form. */
export async function recall(
  { url, credential, namespace, project, conversation, prompt }: Question,
  signal: AbortSignal,
): Promise<string> {
  const response = await fetch(`${url}/v1/memory/recall`, {
    method: 'POST',
    headers: { ...credential, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      ...(prompt === null ? {} : questionOf(prompt)),
      context: { namespace, ...(project === null ? {} : { project_id: project }) },
      exclude_conversation_id: conversation,
      max_tokens: prompt === null ? SESSION_TOKENS : PROMPT_TOKENS,
    }),
    // Another address would get the prompt and the credential.
    redirect: 'error',
    signal,
  })
  if (response.status !== 200) throw new Error(`The service answered with ${response.status}.`)
  const answer = JSON.parse(await bounded(response)) as { text?: unknown } | null
  const text = answer?.text
  if (typeof text !== 'string' || text.length > MAX_CHARACTERS) throw new Error('The answer has another form.')
  return text
}

/** A question stands at the beginning of a long prompt or at its end: of a message, the service takes both. */
function questionOf(prompt: string): { query: string } | { messages: { role: 'user'; content: string }[] } {
  const half = MAX_PROMPT_CHARACTERS / 2
  const kept = prompt.length <= MAX_PROMPT_CHARACTERS ? prompt : prompt.slice(0, half) + prompt.slice(-half)
  const content = storable(kept, MAX_PROMPT_CHARACTERS)
  return content.length <= MAX_QUERY_CHARACTERS ? { query: content } : { messages: [{ role: 'user', content }] }
}

async function bounded({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const part of body ?? []) {
    bytes += part.byteLength
    if (bytes > MAX_ANSWER_BYTES) throw new Error('The answer is too long.')
    text += decoder.decode(part, { stream: true })
  }
  return text + decoder.decode()
}
