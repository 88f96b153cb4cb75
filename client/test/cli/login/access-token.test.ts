import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { CredentialsFile } from '../../../src/cli/config/credentials.ts'
import { accessToken } from '../../../src/cli/login/access-token.ts'
import { EXIT } from '../../../src/cli/exit-codes.ts'
import { toFailure } from '../../../src/cli/service-failure.ts'
import { isFinal } from '../../../src/stream/reconnect.ts'
import { NOW, testIo } from '../support/io.ts'

/** A token endpoint that rotates: each refresh token works once. */
async function startTokens(answer?: { status: number; body: object }) {
  let live = 'refresh-0'
  let refreshes = 0
  const server = createServer((request, response) => {
    let form = ''
    request.on('data', (chunk: Buffer) => (form += chunk.toString()))
    request.on('end', () => {
      const known = new URLSearchParams(form).get('refresh_token') === live
      const { status, body } =
        answer ?? (known ? { status: 200, body: next() } : { status: 400, body: { error: 'invalid_grant' } })
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  const next = () => {
    refreshes += 1
    live = `refresh-${refreshes}`
    return {
      access_token: `access-${refreshes}`,
      refresh_token: live,
      token_type: 'bearer',
      expires_in: 3600,
      scope: 'read:memory',
    }
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, refreshes: () => refreshes }
}

async function loggedIn(url: string, expiresAt: number) {
  const { io } = testIo()
  const held = { ...io, now: () => NOW, sleep: () => new Promise<void>((resolve) => setImmediate(resolve)) }
  const file = new CredentialsFile(held)
  const oauth = { access_token: 'access-0', refresh_token: 'refresh-0', expires_at: expiresAt, scope: 'read:memory' }
  await file.updateDeployment(url, (deployment) => void Object.assign(deployment, { client_id: 'app_1', oauth }))
  return { io: held, file }
}

test('a token that lives is used as it is; one that ends within a minute is refreshed first', async () => {
  const { url, refreshes } = await startTokens()
  const { io, file } = await loggedIn(url, NOW + 61_000)
  expect(await accessToken(io, file, url)).toBe('access-0')
  io.now = () => NOW + 1_000
  expect(await accessToken(io, file, url)).toBe('access-1')
  expect(refreshes()).toBe(1)
  expect((await file.deployment(url)).oauth).toMatchObject({ refresh_token: 'refresh-1', expires_at: NOW + 3_601_000 })
})

test('of ten commands at once one refreshes, and all get its token', async () => {
  const { url, refreshes } = await startTokens()
  const { io, file } = await loggedIn(url, NOW)
  const tokens = await Promise.all(Array.from({ length: 10 }, () => accessToken(io, new CredentialsFile(io), url)))
  expect(new Set(tokens)).toEqual(new Set(['access-1']))
  expect(refreshes()).toBe(1)
  expect((await file.deployment(url)).oauth?.refresh_token).toBe('refresh-1')
})

test('a token that was refused is refreshed, unless another command has done so', async () => {
  const { url, refreshes } = await startTokens()
  const { io, file } = await loggedIn(url, NOW + 3_600_000)
  expect(await accessToken(io, file, url, 'access-0')).toBe('access-1')
  expect(await accessToken(io, file, url, 'access-0')).toBe('access-1')
  expect(refreshes()).toBe(1)
})

test('a login that has ended is forgotten, and the application stays', async () => {
  const { url } = await startTokens({ status: 400, body: { error: 'invalid_grant' } })
  const { io, file } = await loggedIn(url, NOW)
  const failure: unknown = await accessToken(io, file, url).catch((error: unknown) => error)
  expect(failure).toMatchObject({ status: 401, message: `The login at ${url} has ended.` })
  // A stream ends with it, and a command says what to do.
  expect(isFinal(failure)).toBe(true)
  expect(toFailure(failure, url)).toMatchObject({ exit: EXIT.unauthenticated, hint: 'Log in again: recollect login' })
  expect(await file.deployment(url)).toEqual({ client_id: 'app_1' })
})

test.each([
  { status: 503, body: { error: 'temporarily_unavailable' } },
  { status: 500, body: {} },
  { status: 429, body: { error: 'temporarily_unavailable' } },
])('a service that answers $status keeps the login', async (answer) => {
  const { url } = await startTokens(answer)
  const { io, file } = await loggedIn(url, NOW)
  await expect(accessToken(io, file, url)).rejects.toThrow(/./)
  expect((await file.deployment(url)).oauth?.refresh_token).toBe('refresh-0')
})
