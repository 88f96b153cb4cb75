/** Calls the public API in a session, and throws where it refuses. `T`: what it answers. */
export type Api = <T = unknown>(method: string, path: string, body?: unknown) => Promise<T>

export const callerOf =
  (url: string, token: string): Api =>
  async <T>(method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { 'X-Session-Token': token, 'Content-Type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
    return (response.status === 204 ? null : await response.json()) as T
  }
