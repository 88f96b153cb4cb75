import * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Agent, type Application } from './support/agent.ts'
import { startServer, type Server } from './support/server.ts'

/** Nothing listens there: the test passes the address to the client, as the browser would open it. */
const CALLBACK = 'http://127.0.0.1:8976/callback'
const VERIFIER = oauth.generateRandomCodeVerifier()
const S256 = { code_challenge: await oauth.calculatePKCECodeChallenge(VERIFIER), code_challenge_method: 'S256' }

let server: Server
let agent: Agent
beforeAll(async () => {
  server = await startServer({ vars: { LIMITS_FACTOR: '1000' } })
  agent = await Agent.signUp(server.url)
})
afterAll(() => server.stop())

interface TokenReply {
  status: number
  body: { access_token: string; refresh_token: string; error?: string }
}

async function send(body: URLSearchParams | string): Promise<TokenReply> {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const response = await fetch(`${server.url}/auth/token`, { method: 'POST', headers, body })
  return { status: response.status, body: (await response.json()) as TokenReply['body'] }
}

const authorizeUrl = (app: Application, more: Record<string, string> = {}): string => {
  const query = { response_type: 'code', client_id: app.client_id, redirect_uri: CALLBACK, state: 's', ...more }
  return `${server.url}/auth/authorize?${new URLSearchParams(query).toString()}`
}

const codeOf = async (app: Application, more: Record<string, string> = {}): Promise<string> =>
  (await agent.approve(authorizeUrl(app, more))).searchParams.get('code') ?? ''

/** `client_secret` only if the application has one. */
const clientOf = ({ client_id, client_secret }: Application): Record<string, string> =>
  client_secret ? { client_id, client_secret } : { client_id }

const redeem = (app: Application, code: string, more: Record<string, string> = {}): Promise<TokenReply> =>
  send(
    new URLSearchParams({
      ...clientOf(app),
      grant_type: 'authorization_code',
      code,
      redirect_uri: CALLBACK,
      ...more,
    }),
  )

describe("the customer's literal flow: no PKCE, secret in the form, scopes joined by a plus sign", () => {
  test.each(['+', '%2B', '%20'])('scope=read:memory%swrite:memory', async (joint) => {
    const app = await agent.makeApp(CALLBACK)
    const query = `response_type=code&client_id=${app.client_id}&redirect_uri=${CALLBACK}&state=a%20b`
    const back = await agent.approve(`${server.url}/auth/authorize?${query}&scope=read:memory${joint}write:memory`)
    expect(Object.fromEntries(back.searchParams)).toEqual({
      code: expect.stringMatching(/^rcc_/),
      state: 'a b',
      iss: server.url,
    })
    const client = `client_id=${app.client_id}&client_secret=${app.client_secret}`
    const first = await send(
      `${client}&grant_type=authorization_code&code=${back.searchParams.get('code')}&redirect_uri=${CALLBACK}`,
    )
    const next = await send(`${client}&grant_type=refresh_token&refresh_token=${first.body.refresh_token}`)
    for (const answer of [first, next]) {
      expect(answer).toEqual({
        status: 200,
        body: {
          access_token: expect.stringMatching(/^rca_/),
          token_type: 'bearer',
          expires_in: 3600,
          refresh_token: expect.stringMatching(/^rcr_/),
          scope: 'read:memory write:memory',
        },
      })
    }
    expect(next.body.refresh_token).not.toBe(first.body.refresh_token)
  })
})

describe('downgrade (security 4)', () => {
  /** The target of a redirect without a consent page. */
  const refusedBy = async (url: string): Promise<Record<string, string>> => {
    const Cookie = `__Host-recollect_session=${agent.session}`
    const answer = await fetch(url, { headers: { Cookie }, redirect: 'manual' })
    return Object.fromEntries(new URL(answer.headers.get('location') ?? '').searchParams)
  }
  const plain = { code_challenge: VERIFIER, code_challenge_method: 'plain' }
  const unnamed = { code_challenge: S256.code_challenge }

  test.each([
    ['a public application without a challenge', { type: 'public' }, {}],
    ['an application that requires PKCE, without a challenge', { require_pkce: true }, {}],
    ['a confidential application with the method plain', {}, plain],
    ['a public application with the method plain', { type: 'public' }, plain],
    ['a public application without a method, which would be plain', { type: 'public' }, unnamed],
  ])('%s is sent back with invalid_request, state and iss', async (_, kind, asked) => {
    const app = await agent.makeApp(CALLBACK, kind)
    expect(await refusedBy(authorizeUrl(app, asked))).toEqual({
      error: 'invalid_request',
      error_description: expect.any(String),
      state: 's',
      iss: server.url,
    })
  })

  test.each([
    ['the verifier is stripped', S256, {}],
    ['the challenge was stripped on the way to us', {}, { code_verifier: VERIFIER }],
    ['the challenge is sent for the verifier', S256, { code_verifier: S256.code_challenge }],
  ])('at the token endpoint, %s: invalid_grant, and the code is burnt', async (_, asked, sent) => {
    const app = await agent.makeApp(CALLBACK)
    const code = await codeOf(app, asked)
    expect(await redeem(app, code, sent)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    const right = 'code_challenge' in asked ? { code_verifier: VERIFIER } : {}
    expect(await redeem(app, code, right)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })
})

describe('mix-up (RFC 9207)', () => {
  const insecure = { [oauth.allowInsecureRequests]: true }
  const discover = async (): Promise<oauth.AuthorizationServer> => {
    const issuer = new URL(server.url)
    const response = await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' })
    return oauth.processDiscoveryResponse(issuer, response)
  }

  test("a client that an attacker's server sent to us learns it from iss, and hands our code to nobody", async () => {
    const app = await agent.makeApp(CALLBACK)
    const [ours, client] = [await discover(), { client_id: app.client_id }]
    const theirs = { ...ours, issuer: 'https://attacker.example', token_endpoint: 'https://attacker.example/token' }
    const back = await agent.approve(authorizeUrl(app, S256))
    expect(() => oauth.validateAuthResponse(theirs, client, back, 's')).toThrow('"iss"')
    const params = oauth.validateAuthResponse(ours, client, back, 's')
    expect(await redeem(app, params.get('code') ?? '', { code_verifier: VERIFIER })).toMatchObject({ status: 200 })
  })

  test('an answer from which iss was stripped is refused by clients, since our metadata promises it', async () => {
    const app = await agent.makeApp(CALLBACK)
    const back = await agent.approve(authorizeUrl(app, S256))
    back.searchParams.delete('iss')
    const ours = await discover()
    expect(() => oauth.validateAuthResponse(ours, { client_id: app.client_id }, back, 's')).toThrow('"iss"')
  })

  test('a code is worth nothing with the credentials of another client, and still works for its own', async () => {
    const [app, other] = [await agent.makeApp(CALLBACK), await agent.makeApp(CALLBACK)]
    const code = await codeOf(app, S256)
    const stolen = await redeem(other, code, { code_verifier: VERIFIER })
    expect(stolen).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await redeem(app, code, { code_verifier: VERIFIER })).toMatchObject({ status: 200 })
  })
})

describe('races over real sockets, 16 at once, 12 rounds', () => {
  const sixteen = <T>(work: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: 16 }, work))

  test('a code gives one success, which its replays end', async () => {
    const app = await agent.makeApp(CALLBACK)
    for (let round = 0; round < 12; round += 1) {
      const code = await codeOf(app)
      const answers = await sixteen(() => redeem(app, code))
      const won = answers.filter(({ status }) => status === 200)
      expect(won).toHaveLength(1)
      expect(answers.filter(({ status }) => status === 400)).toHaveLength(15)
      expect(await agent.statusWith(won[0]?.body.access_token ?? '')).toBe(401)
    }
  })

  test('a refresh token leaves one chain', async () => {
    const app = await agent.makeApp(CALLBACK)
    let { body } = await redeem(app, await codeOf(app))
    for (let round = 0; round < 12; round += 1) {
      const fields = { ...clientOf(app), grant_type: 'refresh_token', refresh_token: body.refresh_token }
      const answers = await sixteen(() => send(new URLSearchParams(fields)))
      expect(new Set(answers.map((answer) => `${answer.status} ${answer.body.refresh_token}`)).size).toBe(1)
      expect(answers[0]?.status).toBe(200)
      body = answers[0]?.body ?? body
    }
  })
})
