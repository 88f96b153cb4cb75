import { expect, test } from 'vitest'
import { AuthenticationError, InvalidRequestError, refreshingToken, type Tokens } from '../src/index.ts'
import { clientOf, json, problem } from './support.ts'

/** A service that takes the access token `valid` alone, and refreshes as long as `refresh` says. */
function service(refresh: (token: string | null) => Response) {
  const refreshed: (string | null)[] = []
  const kept: Tokens[] = []
  const answer = async (request: Request): Promise<Response> => {
    if (new URL(request.url).pathname !== '/auth/token')
      return request.headers.get('authorization') === 'Bearer rca_2'
        ? json({ id: 'mem_1' })
        : problem(401, 'invalid_token')
    expect(request.headers.get('authorization')).toBeNull()
    const form = new URLSearchParams(await request.text())
    expect(Object.fromEntries(form)).toMatchObject({ grant_type: 'refresh_token', client_id: 'app_1' })
    refreshed.push(form.get('refresh_token'))
    return refresh(form.get('refresh_token'))
  }
  const fetch = (async (url: string, init?: RequestInit) => answer(new Request(url, init))) as typeof globalThis.fetch
  const accessToken = refreshingToken({
    baseUrl: 'http://service.test',
    clientId: 'app_1',
    tokens: { access_token: 'rca_1', refresh_token: 'rcr_1' },
    onTokens: (tokens) => void kept.push(tokens),
    fetch,
  })
  const newClient = () => clientOf([answer], { credential: { accessToken } }).client
  return { client: newClient(), newClient, refreshed, kept }
}

test('a refused access token is refreshed once for all calls, and the new tokens are kept', async () => {
  const next = { access_token: 'rca_2', refresh_token: 'rcr_2' }
  const { client, refreshed, kept } = service(() => json({ ...next, token_type: 'bearer', expires_in: 3600 }))
  const calls = [1, 2, 3].map(() => client.memory.retrieve('mem_1'))
  expect((await Promise.all(calls)).map(({ id }) => id)).toEqual(['mem_1', 'mem_1', 'mem_1'])
  await client.memory.retrieve('mem_1')
  expect(refreshed).toEqual(['rcr_1'])
  expect(kept).toEqual([next])
})

test('two clients that share a source of tokens spend a refresh token once', async () => {
  const next = { access_token: 'rca_2', refresh_token: 'rcr_2' }
  const { client, newClient, refreshed } = service(() => json({ ...next, token_type: 'bearer', expires_in: 3600 }))
  const found = await Promise.all([client, newClient()].map((one) => one.memory.retrieve('mem_1')))
  expect(found.map(({ id }) => id)).toEqual(['mem_1', 'mem_1'])
  expect(refreshed).toEqual(['rcr_1'])
})

test('a refresh token that has ended ends the call, and spends nothing twice', async () => {
  const { client, refreshed } = service(() => json({ error: 'invalid_grant', error_description: 'It has ended.' }, 400))
  const failure = await client.memory.retrieve('mem_1').catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(InvalidRequestError)
  expect(failure).toMatchObject({ code: 'invalid_grant', message: 'It has ended.' })
  expect(refreshed).toEqual(['rcr_1'])
})

test('a fresh token that is refused as well is the end', async () => {
  const { client, refreshed } = service((token) => json({ access_token: `${token}+`, refresh_token: 'rcr_2' }))
  await expect(client.memory.retrieve('mem_1')).rejects.toThrow(AuthenticationError)
  expect(refreshed).toEqual(['rcr_1'])
})
