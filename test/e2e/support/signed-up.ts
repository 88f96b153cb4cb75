import { expect } from 'vitest'

/** A new user of a service, and a request of theirs that has to succeed. */
export async function signedUp(url: string) {
  const form = new URLSearchParams({ email: 'ada@example.com', password: 'a password for a test', name: 'Ada' })
  const made = await fetch(`${url}/auth/register-user`, { method: 'POST', body: form })
  const { session_token } = (await made.json()) as { session_token: string }
  const headers = { 'X-Session-Token': session_token, 'Content-Type': 'application/json' }
  const post = async (path: string, body: unknown): Promise<any> => {
    const answered = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(answered.ok).toBe(true)
    return answered.json()
  }
  return { headers, post }
}
