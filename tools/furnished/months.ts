import { createHash } from 'node:crypto'
import { approve } from '../../test/e2e/support/agent.ts'
import type { Api } from './api.ts'

const DAY = 86_400_000

const SUBJECTS = ['Grace Hopper', 'Alan Turing', 'Katherine Johnson', 'Acme Ltd', 'Kettle works'] as const
const FACTS = [
  'prefers to be called in the morning, before ten',
  'renews the contract each March and pays by invoice',
  'asked for the German manual of the blue kettle',
  'moved to a larger office on the second floor',
  'is allergic to peanuts, and so are two of the guests',
  'wants the weekly report on Mondays instead of Fridays',
  'has a dog called Otto that is afraid of thunder',
  'pays too much for shipping and would like one parcel a month',
] as const
const TAGS = ['sales', 'support', 'office'] as const

/** Three months of memories with their times, about several subjects and in several namespaces. */
export async function importMonths(url: string, token: string, projectId: string): Promise<void> {
  const lines = Array.from({ length: 90 }, (_, nth) => {
    const subject = SUBJECTS[(nth * 3) % SUBJECTS.length] ?? ''
    const at = new Date(Date.now() - (90 - nth) * DAY - ((nth * 37) % 24) * 3_600_000).toISOString()
    return JSON.stringify({
      content: { text: `${subject} ${FACTS[nth % FACTS.length]}.` },
      context: { subject, namespace: nth % 4 === 0 ? 'customers:emea' : nth % 7 === 0 ? 'office' : 'default' },
      tags: [TAGS[nth % TAGS.length]],
      created_at: at,
      updated_at: at,
    })
  })
  const response = await fetch(`${url}/v1/memory/import?project_id=${projectId}`, {
    method: 'POST',
    headers: { 'X-Session-Token': token, 'Content-Type': 'application/x-ndjson' },
    body: `${lines.join('\n')}\n`,
  })
  if (!response.ok) throw new Error(await response.text())
}

/** People who signed up by an invitation to the workspace, each with another role. */
export async function addPeople(url: string, api: Api, workspaceId: string): Promise<void> {
  for (const [name, role] of [
    ['Alan Turing', 'admin'],
    ['Katherine Johnson', 'editor'],
    ['Dorothy Vaughan', 'viewer'],
  ] as const) {
    const email = `${name.split(' ')[0]?.toLowerCase()}@example.com`
    const { invitation_url } = await api<{ invitation_url: string }>('POST', `/v1/workspaces/${workspaceId}/members`, {
      email,
      role,
    })
    const invitation = new URL(invitation_url).searchParams.get('invitation') ?? ''
    const joined = await fetch(`${url}/auth/register-user`, {
      method: 'POST',
      body: new URLSearchParams({ name, email, password: 'correct horse battery', invitation }),
    })
    if (!joined.ok) throw new Error(await joined.text())
  }
}

/** Agents that registered themselves, with the person's consent and a token. */
export async function connectAgents(url: string, token: string): Promise<void> {
  for (const client_name of ['Claude Code', 'Cursor']) {
    const redirect_uri = 'http://127.0.0.1/back'
    const registered = await fetch(`${url}/auth/register`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ client_name, redirect_uris: [redirect_uri], token_endpoint_auth_method: 'none' }),
    })
    const { client_id } = (await registered.json()) as { client_id: string }
    const code_verifier = crypto.randomUUID().repeat(2)
    const code_challenge = createHash('sha256').update(code_verifier).digest('base64url')
    const asked = new URLSearchParams({
      response_type: 'code',
      client_id,
      redirect_uri,
      scope: 'read:memory write:memory',
      state: 's',
      code_challenge,
      code_challenge_method: 'S256',
    })
    const back = await approve(url, token, `${url}/auth/authorize?${asked.toString()}`)
    const redeemed = await fetch(`${url}/auth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        client_id,
        grant_type: 'authorization_code',
        code: back.searchParams.get('code') ?? '',
        redirect_uri,
        code_verifier,
      }),
    })
    if (!redeemed.ok) throw new Error(await redeemed.text())
  }
}
