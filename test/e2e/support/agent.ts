export interface Application {
  client_id: string
  client_secret: string
  redirect_uris: string[]
}

/** A browser without JavaScript: one cookie, and forms. */
export class Agent {
  readonly base: string
  readonly session: string
  readonly email: string
  readonly password: string

  private constructor(base: string, session: string, email: string, password: string) {
    this.base = base
    this.session = session
    this.email = email
    this.password = password
  }

  static async signUp(base: string): Promise<Agent> {
    const email = `person-${crypto.randomUUID()}@example.com`
    const password = 'correct horse battery'
    const response = await fetch(`${base}/auth/register-user`, {
      method: 'POST',
      body: new URLSearchParams({ email, password, name: 'Person' }),
    })
    await expectStatus(response, 201)
    const { session_token } = (await response.json()) as { session_token: string }
    return new Agent(base, session_token, email, password)
  }

  /** A person who has an account. */
  static async logIn(base: string, email: string, password: string): Promise<Agent> {
    const response = await fetch(`${base}/auth/login`, {
      method: 'POST',
      body: new URLSearchParams({ username: email, password }),
    })
    await expectStatus(response, 200)
    const { session_token } = (await response.json()) as { session_token: string }
    return new Agent(base, session_token, email, password)
  }

  async makeApp(redirectUri: string, more: Record<string, unknown> = {}): Promise<Application> {
    const response = await fetch(`${this.base}/v1/apps`, {
      method: 'POST',
      headers: { 'X-Session-Token': this.session, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        name: 'Notes',
        redirect_uris: [redirectUri],
        scopes: ['read:memory', 'write:memory', 'read:projects'],
        ...more,
      }),
    })
    await expectStatus(response, 201)
    return (await response.json()) as Application
  }

  /** An API key with the scopes that the MCP server needs. */
  async makeKey(scopes = ['read:memory', 'write:memory', 'read:projects', 'read:profile']): Promise<string> {
    const response = await fetch(`${this.base}/v1/api-keys`, {
      method: 'POST',
      headers: { 'X-Session-Token': this.session, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'agent', scopes }),
    })
    await expectStatus(response, 201)
    return ((await response.json()) as { key: string }).key
  }

  /** A project in the person's own workspace; its id. */
  async makeProject(name: string): Promise<string> {
    const headers = { 'X-Session-Token': this.session, 'Content-Type': 'application/json' }
    const { data } = (await (await fetch(`${this.base}/v1/workspaces`, { headers })).json()) as {
      data: { id: string }[]
    }
    const body = JSON.stringify({ name, workspace_id: data[0]?.id })
    const response = await fetch(`${this.base}/api/projects`, { method: 'POST', headers, body })
    await expectStatus(response, 201)
    return ((await response.json()) as { id: string }).id
  }

  /** Ends all that the person has granted to applications. */
  async endGrants(): Promise<void> {
    const headers = { 'X-Session-Token': this.session }
    const { data } = (await (await fetch(`${this.base}/v1/grants?limit=100`, { headers })).json()) as {
      data: { id: string }[]
    }
    for (const { id } of data) await fetch(`${this.base}/v1/grants/${id}`, { method: 'DELETE', headers })
  }

  approve(url: URL | string): Promise<URL> {
    return approve(this.base, this.session, url)
  }

  /** The status of a call with an access token. */
  async statusWith(accessToken: string): Promise<number> {
    const response = await fetch(`${this.base}/v1/projects`, { headers: { Authorization: `Bearer ${accessToken}` } })
    return response.status
  }
}

/** Opens the authorization URL, presses Allow, and returns the target of the redirect. */
export async function approve(base: string, session: string, url: URL | string): Promise<URL> {
  const Cookie = `__Host-recollect_session=${session}`
  const asked = await fetch(url, { headers: { Cookie }, redirect: 'manual' })
  await expectStatus(asked, 200)
  const csrf = /name="csrf" value="([^"]+)"/.exec(await asked.text())?.[1] ?? ''
  const answer = await fetch(url, {
    method: 'POST',
    headers: { Cookie, Origin: base },
    body: new URLSearchParams({ csrf, decision: 'approve' }),
    redirect: 'manual',
  })
  await expectStatus(answer, 303)
  return new URL(answer.headers.get('location') ?? '')
}

async function expectStatus(response: Response, status: number): Promise<void> {
  if (response.status !== status) throw new Error(`${response.url}: ${response.status} ${await response.text()}`)
}
