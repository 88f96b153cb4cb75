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
