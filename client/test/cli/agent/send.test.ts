import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { send } from '../../../src/cli/agent/send.ts'
import { Spool } from '../../../src/cli/agent/spool.ts'
import { accountOf } from '../../../src/cli/config/account.ts'
import { CredentialsFile, type Deployment } from '../../../src/cli/config/credentials.ts'
import type { Io } from '../../../src/cli/io.ts'
import { agentHome, oauthLogin } from '../support/agent-home.ts'
import { NOW } from '../support/io.ts'
import { startMemoryService } from '../support/memory-service.ts'

const INGEST = '/v1/memory/ingest'

async function started(login?: Parameters<typeof agentHome>[1]) {
  const service = await startMemoryService()
  const home = await agentHome(service.url, login)
  const spool = new Spool(home.io.env)
  let count = 0
  const deployment = await new CredentialsFile(home.io).deployment(service.url)
  const own = accountOf(deployment) ?? ''
  const say = (conversation_id: string, url = service.url, account = own) =>
    spool.add(
      {
        url,
        account,
        body: { conversation_id, messages: [], context: { namespace: 'repo:a' }, visibility: 'private' },
      },
      NOW + (count += 1),
    )
  return {
    service,
    home,
    spool,
    interrupt: () => home.interrupt.abort(),
    say,
    send: () => send(home.io, new CredentialsFile(home.io)),
    sent: () => service.to(INGEST).map(({ body }) => body['conversation_id']),
  }
}

test('turns are sent in their order, once, with the login alone', async () => {
  const { say, send, sent, service, home } = await started()
  home.io.env['RECOLLECT_API_KEY'] = 'rck_live_app'
  for (const name of ['a', 'b', 'c']) await say(name)
  expect(await send()).toEqual({ sent: 3, waiting: 0, dropped: 0, failure: null })
  expect(sent()).toEqual(['a', 'b', 'c'])
  expect(new Set(service.asked.map(({ headers }) => headers['x-api-key']))).toEqual(new Set(['rck_test_agents']))
  expect(new Set(service.asked.map(({ headers }) => headers['idempotency-key'])).size).toBe(3)
  expect(await send()).toEqual({ sent: 0, waiting: 0, dropped: 0, failure: null })
})

test('a turn that the service refuses is dropped and counted; one whose project is gone lets the others pass', async () => {
  const { say, send, sent, service } = await started()
  await say('a')
  service.answers[INGEST] = { status: 422, json: { error: { code: 'invalid_request', message: 'No.' } } }
  expect(await send()).toEqual({ sent: 0, waiting: 0, dropped: 1, failure: null })
  service.answers[INGEST] = { status: 404, json: { error: { code: 'not_found', message: 'No.' } } }
  await say('b')
  await say('c')
  expect(await send()).toEqual({ sent: 0, waiting: 2, dropped: 1, failure: null })
  expect(sent()).toEqual(['a', 'b', 'c'])
})

test.each([
  [403, 'forbidden'],
  [409, 'conflict'],
  [409, 'idempotency_in_progress'],
])('a turn that is a %i %s now waits, and the others pass', async (status, code) => {
  const { say, send, sent, service } = await started()
  service.answers[INGEST] = { status, json: { code, detail: 'No.' } }
  await say('a')
  await say('b')
  expect(await send()).toEqual({ sent: 0, waiting: 2, dropped: 0, failure: null })
  expect(new Set(sent())).toEqual(new Set(['a', 'b']))
  service.answers[INGEST] = { json: {} }
  expect(await send()).toEqual({ sent: 2, waiting: 0, dropped: 0, failure: null })
})

test('a message id that another item has is dropped', async () => {
  const { say, send, service } = await started()
  await say('a')
  service.answers[INGEST] = { status: 409, json: { code: 'custom_id_taken', detail: 'Taken.' } }
  expect(await send()).toEqual({ sent: 0, waiting: 0, dropped: 1, failure: null })
})

test.each([
  ['a file that was cut off', '{"url":"htt'],
  ['a file without a turn', 'null'],
])('%s is dropped and counted, and holds up nothing', async (_, text) => {
  const { say, send, sent, home } = await started()
  await say('b')
  const folder = join(home.home, '.local/state/recollect/agents/spool')
  await writeFile(join(folder, `${String(NOW).padStart(15, '0')}-${'0'.repeat(16)}-9.json`), text)
  expect(await send()).toEqual({ sent: 1, waiting: 0, dropped: 1, failure: null })
  expect(sent()).toEqual(['b'])
})

test('a deployment without a login holds up its own turns alone', async () => {
  const { say, send, sent } = await started()
  await say('old', 'http://127.0.0.1:9')
  await say('a')
  await say('older', 'http://127.0.0.1:9')
  const failure = 'Turns of another login at http://127.0.0.1:9 wait for it.'
  expect(await send()).toMatchObject({ sent: 1, waiting: 2, dropped: 0, failure })
  expect(sent()).toEqual(['a'])
})

test('a turn waits for the account that it was said to, and no other gets it', async () => {
  const { say, send, sent, home } = await started()
  await say('old', undefined, 'usr_of_before')
  await say('a')
  const waits = { waiting: 1, dropped: 0, failure: expect.stringContaining('Turns of another login') }
  expect(await send()).toEqual({ sent: 1, ...waits })
  expect(sent()).toEqual(['a'])
  const file = new CredentialsFile(home.io)
  const user = { id: 'usr_of_before', email: 'ada@example.com' }
  await file.updateDeployment(home.url, (deployment) => (deployment.user = user))
  expect(await send()).toEqual({ sent: 1, waiting: 0, dropped: 0, failure: null })
  expect(sent()).toEqual(['a', 'old'])
})

describe('somebody else who logs in while a turn is sent does not get it', () => {
  const other: Deployment = { ...oauthLogin(NOW + 600_000), user: { id: 'usr_2', email: 'grace@example.com' } }
  if (other.oauth) other.oauth.access_token = 'theirs'
  const waits = { sent: 0, waiting: 1, dropped: 0, failure: expect.stringContaining('Turns of another login') }

  /** A file that has the other login from its read with this number on. */
  class ChangingFile extends CredentialsFile {
    readonly #change: { at: number; login: Deployment }
    #reads = 0

    constructor(io: Io, change: { at: number; login: Deployment }) {
      super(io)
      this.#change = change
    }

    override async deployment(url: string): Promise<Deployment> {
      this.#reads += 1
      const { at, login } = this.#change
      if (this.#reads === at) await this.update(({ deployments }) => (deployments[url] = login))
      return super.deployment(url)
    }
  }

  test.each([
    ['a key', undefined, { api_key: 'rck_test_other' }, 2, 'rck_test_agents'],
    ['an access token', oauthLogin(NOW + 600_000), other, 5, 'Bearer stale'],
  ] as const)('%s, before each read of the logins', async (_, own, theirs, reads, sentWith) => {
    for (let at = 1; at <= reads + 1; at += 1) {
      const { say, service, home } = await started(own)
      await say('a')
      const { sent, waiting } = await send(home.io, new ChangingFile(home.io, { at, login: theirs }))
      expect([sent, waiting]).toEqual(at <= reads ? [0, 1] : [1, 0])
      const credentials = service.to(INGEST).map(({ headers }) => headers['x-api-key'] ?? headers['authorization'])
      expect(credentials).toEqual(at <= reads ? [] : [sentWith])
    }
  })

  test('after the token was refused', async () => {
    const { say, service, home, send } = await started(oauthLogin(NOW + 600_000))
    await say('a')
    service.answers[INGEST] = { status: 401, json: { code: 'unauthenticated', detail: 'No.' } }
    service.before[INGEST] = () => home.logIn(other)
    expect(await send()).toEqual(waits)
    expect(service.to(INGEST).map(({ headers }) => headers['authorization'])).toEqual(['Bearer stale'])
  })
})

test('an interrupt ends the attempt, and the turns wait', async () => {
  const { say, send, sent, interrupt } = await started()
  await say('a')
  interrupt()
  expect(await send()).toMatchObject({ sent: 0, waiting: 1, dropped: 0 })
  expect(sent()).toEqual([])
})

test('a service that is down keeps them all, and the next attempt sends them', async () => {
  const { say, send, service } = await started()
  await say('a')
  await say('b')
  service.answers[INGEST] = { status: 403, json: { error: { code: 'insufficient_scope', message: 'No scope.' } } }
  const failed = await send()
  expect(failed).toMatchObject({ sent: 0, waiting: 2, dropped: 0 })
  expect(failed.failure).not.toBeNull()
  expect(service.asked).toHaveLength(1)
  service.answers[INGEST] = { json: {} }
  expect(await send()).toEqual({ sent: 2, waiting: 0, dropped: 0, failure: null })
})

test('an access token that has expired is refreshed once, also where nothing waits', async () => {
  const { say, send, service, home } = await started(oauthLogin(NOW))
  expect(await send()).toMatchObject({ sent: 0, failure: null })
  expect(service.to('/auth/token').map(({ body }) => body['refresh_token'])).toEqual(['r-1'])
  expect((await home.login()).oauth).toMatchObject({ access_token: 'fresh', refresh_token: 'r-2' })
  await say('a')
  expect(await send()).toMatchObject({ sent: 1 })
  expect(service.to('/auth/token')).toHaveLength(1)
  expect(service.to(INGEST)[0]?.headers['authorization']).toBe('Bearer fresh')
})

test('a login that has ended keeps the turns for the next one', async () => {
  const { say, send, service } = await started(oauthLogin(NOW))
  service.answers['/auth/token'] = { status: 400, json: { error: 'invalid_grant' } }
  await say('a')
  expect(await send()).toMatchObject({ sent: 0, waiting: 1, failure: expect.stringContaining('has ended') })
  expect(service.to(INGEST)).toEqual([])
})

test('two senders at once send each turn once', async () => {
  const { say, send, sent, home } = await started()
  for (const name of ['a', 'b', 'c', 'd']) await say(name)
  const both = await Promise.all([send(), send()])
  expect(new Set(both.map((report) => report.sent))).toEqual(new Set([0, 4]))
  expect(sent()).toEqual(['a', 'b', 'c', 'd'])
  expect(await new Spool(home.io.env).names()).toEqual([])
})

test('what sessions have left is erased after a week', async () => {
  const { send, home } = await started()
  const folder = join(home.home, '.local/state/recollect/agents/sessions')
  await mkdir(folder, { recursive: true })
  for (const [name, age] of [
    ['old', 8],
    ['new', 6],
  ] as const) {
    await writeFile(join(folder, name), `a ${name} prompt`)
    const at = (NOW - age * 86_400_000) / 1_000
    await utimes(join(folder, name), at, at)
  }
  await send()
  expect(await home.written()).toContain('a new prompt')
  expect(await home.written()).not.toContain('a old prompt')
})
