import { expect, test } from 'vitest'
import { accountOf } from '../../../src/cli/config/account.ts'
import { KEY_LOGIN, oauthLogin } from '../support/agent-home.ts'
import { INPUTS } from '../support/hook-inputs.ts'
import { NOW } from '../support/io.ts'
import { started } from '../support/run-hook.ts'

test('an access token that has expired: no recall, and a sender that refreshes it', async () => {
  const { service, hook } = await started(oauthLogin(NOW))
  expect(await hook('codex', INPUTS.codex.prompt)).toMatchObject({ output: '', senders: 1 })
  expect(service.asked).toEqual([])
})

test('a turn is of the account whose login it is', async () => {
  for (const [login, account] of [
    [oauthLogin(NOW), 'usr_1'],
    [KEY_LOGIN, accountOf(KEY_LOGIN)],
  ] as const) {
    const { hook, waiting } = await started(login)
    await hook('codex', INPUTS.codex.answer)
    expect(await waiting()).toMatchObject([{ account }])
    expect(account).not.toContain('rck_')
  }
})

test('an access token that lives', async () => {
  const { service, hook } = await started(oauthLogin(NOW + 60_000))
  expect((await hook('codex', INPUTS.codex.prompt)).senders).toBe(0)
  expect(service.asked[0]?.headers['authorization']).toBe('Bearer stale')
})

test('a key in the environment belongs to what the person works on, and does not get the prompts', async () => {
  const { service, hook } = await started({})
  await hook('codex', INPUTS.codex.prompt, {
    env: { RECOLLECT_API_KEY: 'rck_live_app', RECOLLECT_URL: service.url },
  })
  expect(service.asked).toEqual([])
})

test('a token in the address of the remote is nowhere', async () => {
  const remote = 'https://ada:ghp_secret@github.com/acme/api.git?token=ghp_secret'
  const { service, hook, home, waiting } = await started(undefined, remote)
  const { output } = await hook('codex', INPUTS.codex.prompt)
  await hook('codex', INPUTS.codex.answer)
  expect(await waiting()).toMatchObject([{ body: { context: { namespace: 'repo:github.com/acme/api' } } }])
  expect(JSON.stringify(service.asked) + output + (await home.written())).not.toContain('ghp_secret')
})
