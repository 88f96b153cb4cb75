import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { EXIT } from '../../../src/cli/exit-codes.ts'
import { run } from '../../../src/cli/run.ts'
import { agentHome } from '../support/agent-home.ts'
import { testIo } from '../support/io.ts'
import { startMemoryService } from '../support/memory-service.ts'
import { newRepository } from '../support/repository.ts'

async function started(login?: Parameters<typeof agentHome>[1]) {
  const service = await startMemoryService()
  const home = await agentHome(service.url, login)
  return {
    service,
    ...home,
    agent: async (...args: string[]) => {
      const { io, out, err } = testIo({ env: { HOME: home.home, PATH: process.env['PATH'] ?? '' } })
      const code = await run(io, ['agent', ...args], '1.0.0')
      return { code, err: err(), answer: out() === '' ? null : (JSON.parse(out()) as Record<string, unknown>) }
    },
    settings: async () => JSON.parse(await readFile(join(home.home, '.config/recollect/agents.json'), 'utf8')),
  }
}

test('without a terminal, install needs --yes and a login', async () => {
  const { agent, home, service } = await started()
  expect(await agent('install', 'codex')).toMatchObject({ code: EXIT.usage, err: expect.stringContaining('--yes') })
  const { code, err, answer } = await agent('install', 'codex', '--yes', '--all')
  expect([code, answer]).toEqual([
    0,
    expect.objectContaining({ agent: 'codex', url: service.url, enabled: 'every repository' }),
  ])
  expect(err).toContain('What leaves this computer')
  expect(answer?.['note']).toContain('/hooks')
  expect(await readFile(join(home, '.codex/hooks.json'), 'utf8')).toContain('recollect-hook.js')
  const other = await started({})
  expect(await other.agent('install', 'codex', '--yes')).toMatchObject({
    code: EXIT.unauthenticated,
    err: expect.stringContaining('recollect login'),
  })
})

test.each(['copilot', 'cursor'])('install says that %s recalls nothing before a prompt', async (name) => {
  const { agent } = await started()
  const { err, answer } = await agent('install', name, '--yes')
  expect(answer?.['note']).toContain('accepts nothing from a hook before a prompt')
  expect(err).not.toContain('before the agent works on it')
})

test('a refused file is not changed, and nothing else is', async () => {
  const { agent, home, settings } = await started()
  await mkdir(join(home, '.gemini'))
  await writeFile(join(home, '.gemini/settings.json'), '// mine\n{}')
  const before = await settings()
  const { code, err } = await agent('install', 'gemini', '--yes', '--all')
  expect(code).toBe(EXIT.invalid)
  expect(err).toContain('BeforeAgent')
  expect(await settings()).toEqual(before)
})

test('whether Codex trusts a hook is left to the person: nothing but its hooks is written', async () => {
  const { agent, home } = await started()
  expect((await agent('install', 'codex', '--yes')).code).toBe(0)
  expect(await readdir(join(home, '.codex'))).toEqual(['hooks.json'])
  const trust = '[hooks.state]\n"stop" = { trusted_hash = "sha256:mine" }\n'
  await writeFile(join(home, '.codex/config.toml'), trust)
  expect((await agent('install', 'codex', '--yes')).code).toBe(0)
  expect((await agent('remove', 'codex')).code).toBe(0)
  expect(await readFile(join(home, '.codex/config.toml'), 'utf8')).toBe(trust)
})

test('the request that install tries stores nothing', async () => {
  const { agent, service } = await started()
  service.answers['/v1/memory/ingest'] = { status: 422, json: { error: 'no' } }
  expect((await agent('install', 'codex', '--yes')).code).toBe(0)
  expect(service.to('/v1/memory/ingest').map(({ body }) => body)).toEqual([{}])
})

test('folders are enabled and disabled, shared or not', async () => {
  const { agent, home, folder, settings } = await started()
  const web = await newRepository(join(home, 'web'), 'https://github.com/acme/web')
  expect((await agent('enable', web, '--share', 'prj_1')).answer).toEqual({ folder: web, enabled: true })
  expect((await agent('status', web)).answer).toMatchObject({
    namespace: 'repo:github.com/acme/web',
    enabled: true,
    reason: null,
    share: 'prj_1',
  })
  await agent('disable', folder)
  await agent('enable', '--all')
  expect(await settings()).toMatchObject({
    everywhere: { on: true },
    folders: { [web]: { on: true, share: 'prj_1' }, [folder]: { on: false } },
  })
  expect((await agent('status', folder)).answer).toMatchObject({ enabled: false, reason: 'it is not enabled' })
  expect(await agent('enable', join(home, 'gone'))).toMatchObject({ code: EXIT.usage })
})

test('status and remove of an agent without hooks, and of one that has never run', async () => {
  const { agent, service } = await started()
  expect((await agent('remove', 'codex')).answer).toMatchObject({ agent: 'codex', removed: false })
  await agent('install', 'codex', '--yes')
  const { answer } = await agent('status')
  expect(answer).toMatchObject({ url: service.url, logged_in: true, waiting: 0, dropped: 0, failure: null })
  expect(answer?.['agents']).toContainEqual({ agent: 'codex', state: 'outdated', last_run_at: null })
  expect((await agent('send')).answer).toEqual({ sent: 0, waiting: 0, dropped: 0, failure: null })
})

test('a setting of another version stops the commands', async () => {
  const { agent, home } = await started()
  await writeFile(join(home, '.config/recollect/agents.json'), '{"version":2}')
  expect(await agent('enable', '--all')).toMatchObject({ code: EXIT.failure, err: expect.stringContaining('version') })
})

test.each([
  ['recall', 404, EXIT.notFound],
  ['recall', 401, EXIT.unauthenticated],
  ['ingest', 404, EXIT.notFound],
  ['ingest', 403, EXIT.forbidden],
])('a deployment whose %s is a %i: install says so and writes nothing', async (operation, status, exit) => {
  const { agent, home, service } = await started()
  service.answers[`/v1/memory/${operation}`] = { status, json: { error: 'no' } }
  expect((await agent('install', 'codex', '--yes')).code).toBe(exit)
  await expect(readFile(join(home, '.codex/hooks.json'))).rejects.toThrow('ENOENT')
})

test('a project that the login cannot read: install and enable say so and write nothing', async () => {
  const { agent, home, folder, service, settings } = await started()
  const before = await settings()
  const detail = 'There is no project with this id.'
  service.answers['/v1/memory/recall'] = { status: 404, json: { code: 'not_found', detail } }
  for (const command of [
    ['install', 'codex', '--yes'],
    ['enable', folder],
  ])
    expect(await agent(...command, '--share', 'prj_typo')).toMatchObject({
      code: EXIT.notFound,
      err: expect.stringContaining(detail),
    })
  const asked = { max_tokens: 1, context: { project_id: 'prj_typo' } }
  expect(service.asked.map(({ body }) => body)).toEqual([asked, asked])
  expect(await settings()).toEqual(before)
  await expect(readFile(join(home, '.codex/hooks.json'))).rejects.toThrow('ENOENT')
  // Without a project to share with, nothing is asked.
  expect((await agent('enable', folder)).code).toBe(0)
})

test('a file that was saved while install asked is not overwritten', async () => {
  const { home, service } = await started()
  const path = join(home, '.codex/hooks.json')
  const { io, err } = testIo({ env: { HOME: home, PATH: process.env['PATH'] ?? '' } })
  const input = Object.assign(new PassThrough(), { isTTY: true })
  const ended = run({ ...io, stdin: input }, ['agent', 'install', 'codex', '--all'], '1.0.0')
  await vi.waitFor(() => expect(err()).toContain('Write this?'))
  await mkdir(join(home, '.codex'))
  await writeFile(path, '{"saved":true}')
  input.write('y\n')
  expect(await ended).toBe(EXIT.conflict)
  expect(err()).toContain('has changed since')
  expect(await readFile(path, 'utf8')).toBe('{"saved":true}')
  expect(service.to('/v1/memory/ingest')).toHaveLength(1)
})
