import { spawn } from 'node:child_process'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MAX_HOOK_BYTES } from '../../../build.ts'
import { installCli, type Cli } from '../../../../test/e2e/support/cli.ts'
import { until } from '../../../../test/support/until.ts'
import { agentHome, oauthLogin } from '../support/agent-home.ts'
import { INPUTS, type Recorded } from '../support/hook-inputs.ts'
import { RECALLED, startMemoryService } from '../support/memory-service.ts'

let cli: Cli
beforeAll(async () => {
  cli = await installCli()
})
afterAll(() => cli.remove())

const hookPath = () => join(cli.home, 'recollect-hook.js')

/** A home of its own beside the programs that all tests share. */
async function started(login?: Parameters<typeof agentHome>[1]) {
  const service = await startMemoryService()
  const home = await agentHome(service.url, login)
  const env = { ...cli.env, HOME: home.home }
  return {
    service,
    home,
    env,
    hook: (recorded: Recorded) =>
      runProgram([hookPath(), 'claude-code'], env, JSON.stringify({ ...recorded.input, cwd: home.folder })),
    command: (...args: string[]) => cli.run(args, { env, cwd: home.folder }),
  }
}

interface Ran {
  output: string
  code: number | null
}

/** `input` null: standard input stays open. On a busy computer a process may start later than its budget allows a recall. */
function runProgram(args: string[], env: Record<string, string>, input: string | null = ''): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { env })
    let output = ''
    child.stdout.on('data', (part: Buffer) => (output += part.toString()))
    child.stderr.on('data', (part: Buffer) => (output += part.toString()))
    child.on('error', reject)
    child.on('close', (code) => resolve({ output, code }))
    if (input !== null) child.stdin.end(input)
  })
}

const { start, prompt, answer } = INPUTS['claude-code']

test('the program is small, and has no command line in it', async () => {
  expect((await stat(hookPath())).size).toBeLessThanOrEqual(MAX_HOOK_BYTES)
  const text = await readFile(hookPath(), 'utf8')
  for (const other of ['commander', 'Usage:', 'oauth4webapi', 'node:readline']) expect(text).not.toContain(other)
})

test('a turn goes to the service behind the back of the agent, and what is known comes back', async () => {
  const { service, hook, command } = await started()
  await until(async () =>
    expect(JSON.parse((await hook(start)).output)).toEqual({
      hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: RECALLED },
    }),
  )
  expect((await hook(prompt)).code).toBe(0)
  expect(await hook(answer)).toMatchObject({ output: '', code: 0 })
  await until(() => expect(service.to('/v1/memory/ingest')).toHaveLength(1))
  expect(service.to('/v1/memory/ingest')[0]?.body).toMatchObject({
    conversation_id: 'claude-code:s-1',
    messages: [{ id: 'p-1:prompt' }, { id: 'p-1:answer' }],
    visibility: 'private',
  })
  await until(async () =>
    expect(JSON.parse((await command('agent', 'status')).stdout)).toMatchObject({ waiting: 0, dropped: 0 }),
  )
})

test('turns of a time without a service are sent by the next hook', async () => {
  const { service, hook, command } = await started()
  service.answers['/v1/memory/ingest'] = { status: 503, json: {} }
  await hook(prompt)
  await hook(answer)
  const status = async () => JSON.parse((await command('agent', 'status')).stdout) as object
  await until(async () => expect(await status()).toMatchObject({ waiting: 1, failure: expect.any(String) }))
  service.answers['/v1/memory/ingest'] = { json: {} }
  await hook(start)
  await until(async () => expect(await status()).toMatchObject({ waiting: 0, failure: null }))
})

test('an access token that has expired is refreshed behind the prompt, for the next one', async () => {
  const { service, hook, home } = await started(oauthLogin(1))
  expect((await hook(prompt)).output).toBe('')
  await until(async () => expect((await home.login()).oauth?.access_token).toBe('fresh'))
  expect(service.to('/v1/memory/recall')).toEqual([])
  await until(async () => expect((await hook(start)).output).toContain('Frankfurt'))
  expect(service.to('/v1/memory/recall')[0]?.headers['authorization']).toBe('Bearer fresh')
})

test('a silent service, and an agent that leaves its pipe open, hold up nobody', async () => {
  const { service, hook, env } = await started()
  service.answers['/v1/memory/recall'] = 'silence'
  expect(await hook(prompt)).toEqual({ output: '', code: 0 })
  expect(await runProgram([hookPath(), 'gemini'], env, null)).toMatchObject({ output: '{}', code: 0 })
  expect(await runProgram([hookPath(), 'unknown'], env)).toMatchObject({ output: '', code: 0 })
})

test('install shows what it writes and sends, asks, and remove restores the file', async () => {
  const { home, env, service } = await started()
  const path = join(home.home, '.claude/settings.json')
  await mkdir(join(home.home, '.claude'))
  const before = '{\n    "model": "fast"\n}'
  await writeFile(path, before)
  const run = (...args: string[]) => cli.terminal(args, { env, cwd: home.folder })

  const no = run('agent', 'install', 'claude-code')
  await no.shows('Write this? [y/N]')
  no.type('n\r')
  expect(await no.ended).toBe(130)
  expect(await readFile(path, 'utf8')).toBe(before)

  const yes = run('agent', 'install', 'claude-code')
  await yes.shows('Write this? [y/N]')
  const shown = stripVTControlCharacters(yes.output()).replaceAll(/\s+/g, '')
  for (const text of [path, hookPath(), service.url, 'repo:github.com/acme/api', 'Tool outputs stay here'])
    expect(shown).toContain(text.replaceAll(' ', ''))
  yes.type('y\r')
  expect(await yes.ended).toBe(0)

  const { hooks } = JSON.parse(await readFile(path, 'utf8'))
  const { command, args } = hooks.UserPromptSubmit[0].hooks[0]
  expect(command).toBe(process.execPath)
  const input = JSON.stringify({ ...start.input, cwd: home.folder })
  await until(async () => expect((await runProgram(args, env, input)).output).toContain('Frankfurt'))
  const status = run('agent', 'status')
  expect(await status.ended).toBe(0)
  expect(status.output()).toMatch(/Claude Code: installed, last ran \d{4}/)

  const gone = run('agent', 'remove', 'claude-code')
  expect(await gone.ended).toBe(0)
  expect(await readFile(path, 'utf8')).toBe(before)
})
