import { lstat, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Agent } from '../../../src/cli/agent/agents.ts'
import { configFile } from '../../../src/cli/agent/config-file.ts'
import { entriesOf } from '../../../src/cli/agent/entries.ts'
import { install, planInstall, remove, stateOf } from '../../../src/cli/agent/installation.ts'
import { EXIT } from '../../../src/cli/exit-codes.ts'
import { testIo } from '../support/io.ts'

const PROGRAM = { node: '/opt/node 24/bin/node', hook: "/opt/ada's/bin/recollect-hook.js" }
const JSON_AGENTS = ['claude-code', 'codex', 'gemini', 'copilot', 'cursor'] as const

/** A home in which the file of an agent has this text. */
async function homeWith(agent: Agent, text: string | null, variables: Record<string, string> = {}) {
  const { io, home } = testIo()
  const env = { ...io.env, ...variables }
  const path = configFile(env, agent)
  await mkdir(dirname(path), { recursive: true })
  if (text !== null) await writeFile(path, text)
  const read = async () => JSON.parse(await readFile(path, 'utf8'))
  return { env, path, home, read, add: async () => install(env, agent, await planInstall(env, agent, PROGRAM)) }
}

const OTHERS = JSON.stringify(
  {
    model: 'fast',
    env: { TOKEN: 'ghp_secret' },
    hooks: { Stop: [{ matcher: '', hooks: [{ type: 'command', command: 'say done' }] }], Notification: [] },
  },
  null,
  4,
)

describe('each agent gets entries in its own form', () => {
  const line = `'/opt/node 24/bin/node' '/opt/ada'\\''s/bin/recollect-hook.js'`
  const group = (fields: object) => [{ hooks: [{ type: 'command', ...fields }] }]

  test('Claude Code: a program with its arguments, in seconds', async () => {
    const { add, read, path, home } = await homeWith('claude-code', null)
    await add()
    expect(path).toBe(join(home, '.claude/settings.json'))
    const entry = group({ command: PROGRAM.node, args: [PROGRAM.hook, 'claude-code'], timeout: 10 })
    expect(await read()).toEqual({ hooks: { SessionStart: entry, UserPromptSubmit: entry, Stop: entry } })
  })

  test('Codex: a line, in seconds', async () => {
    const { add, read, path, home } = await homeWith('codex', null)
    await add()
    expect(path).toBe(join(home, '.codex/hooks.json'))
    const entry = group({ command: `${line} codex`, timeout: 10 })
    expect(await read()).toEqual({ hooks: { SessionStart: entry, UserPromptSubmit: entry, Stop: entry } })
  })

  test('Gemini CLI: a line, in milliseconds', async () => {
    const { add, read, path, home } = await homeWith('gemini', null)
    await add()
    expect(path).toBe(join(home, '.gemini/settings.json'))
    const entry = group({ name: 'recollect', command: `${line} gemini`, timeout: 10_000 })
    expect(await read()).toEqual({ hooks: { SessionStart: entry, BeforeAgent: entry, AfterAgent: entry } })
  })

  test('Copilot CLI: a file of its own, and the event as an argument', async () => {
    const { add, read, path, home } = await homeWith('copilot', null)
    await add()
    expect(path).toBe(join(home, '.copilot/hooks/recollect.json'))
    const entry = (event: string) => [{ type: 'command', bash: `${line} copilot ${event}`, timeoutSec: 10 }]
    expect(await read()).toEqual({
      version: 1,
      hooks: { sessionStart: entry('sessionStart'), agentStop: entry('agentStop') },
    })
  })

  test('Cursor: a line, in seconds', async () => {
    const { add, read, path, home } = await homeWith('cursor', null)
    await add()
    expect(path).toBe(join(home, '.cursor/hooks.json'))
    const entry = [{ command: `${line} cursor`, timeout: 10 }]
    expect(await read()).toEqual({
      version: 1,
      hooks: { sessionStart: entry, beforeSubmitPrompt: entry, afterAgentResponse: entry },
    })
  })

  test.each([
    ['gemini', '& '],
    ['copilot', '& '],
    ['codex', ''],
    ['cursor', ''],
  ] as const)('%s on Windows: a line that its shell runs', (agent, prefix) => {
    const program = { node: 'C:\\Program Files\\node.exe', hook: 'C:\\r\\recollect-hook.js' }
    const line = `${prefix}"${program.node}" ${program.hook} ${agent}`
    const text = JSON.stringify(entriesOf(agent, program, 'win32'))
    expect(text).toContain(JSON.stringify(line).slice(0, -1))
    const plain = entriesOf(agent, { ...program, node: 'C:\\node.exe' }, 'win32')
    expect(JSON.stringify(plain)).toContain(`"C:\\\\node.exe C:`)
  })

  test.each([
    ['claude-code', { CLAUDE_CONFIG_DIR: '/c' }, '/c/settings.json'],
    ['codex', { CODEX_HOME: '/c' }, '/c/hooks.json'],
    ['gemini', { GEMINI_CLI_HOME: '/g' }, '/g/.gemini/settings.json'],
    ['opencode', { XDG_CONFIG_HOME: '/x' }, '/x/opencode/plugins/recollect.js'],
    ['copilot', { COPILOT_HOME: '/c' }, '/c/hooks/recollect.json'],
  ] as const)('%s in the folder that its variable names', (agent, env, path) => {
    expect(configFile({ HOME: '/home/ada', ...env }, agent)).toBe(path)
  })
})

describe.each(JSON_AGENTS)('%s: install, then remove', (agent) => {
  test.each([
    ['four spaces, no line at the end', OTHERS],
    ['tabs', '{\n\t"a": 1,\n\t"hooks": {}\n}\n'],
    ['CRLF', OTHERS.replaceAll('\n', '\r\n')],
    ['one line', '{"b":[1,2],"a":{"c":1.50}}'],
    ['nothing in it', '{}'],
    ['odd spaces', '\n  {  "z" : null }\n\n'],
  ])('restores every byte: %s', async (_, text) => {
    const { env, path, add, read } = await homeWith(agent, text)
    await add()
    expect(JSON.stringify(await read())).toContain('recollect-hook.js')
    expect(await stateOf(env, agent, PROGRAM)).toBe('outdated')
    // A second time changes nothing.
    const once = await readFile(path, 'utf8')
    await add()
    expect(await readFile(path, 'utf8')).toBe(once)
    expect(await remove(env, agent)).toEqual({ path, removed: true })
    expect(await readFile(path, 'utf8')).toBe(text)
    expect(await remove(env, agent)).toEqual({ path, removed: false })
  })

  test('deletes a file that was not there before', async () => {
    const { env, path, add } = await homeWith(agent, null)
    await add()
    await remove(env, agent)
    await expect(stat(path)).rejects.toThrow('ENOENT')
    expect(await stateOf(env, agent, PROGRAM)).toBe('not installed')
  })

  test.each([
    ['a file with settings', OTHERS],
    ['a file with empty hooks', '{\n  "hooks": {"Stop": []}\n}\n'],
    ['no file', null],
  ])('takes out only its entries where the file was edited since: %s', async (_, text) => {
    const { env, path, add, read } = await homeWith(agent, text)
    await add()
    const edited = await read()
    await writeFile(path, JSON.stringify({ theme: 'dark', ...edited }))
    // Another install in between keeps what was edited.
    await add()
    expect(await remove(env, agent)).toEqual({ path, removed: true })
    expect(await read()).toEqual({ theme: 'dark', ...(text === null ? {} : (JSON.parse(text) as object)) })
  })

  test.each([
    ['comments', '{\n  // mine\n  "a": 1\n}\n', 'has comments or is not valid JSON'],
    ['a comma too many', '{"a": 1,}', 'not valid JSON'],
    ['a byte order mark', '\ufeff{}', 'not valid JSON'],
    ['a list', '[]', 'not an object'],
    ['hooks that are no object', '{"hooks": []}', '"hooks" is not an object'],
    ['a number that would change', '{"id": 12345678901234567890}', 'do not keep 12345678901234567890'],
  ])('refuses a file with %s, with the lines to paste', async (_, text, why) => {
    const { env, path, add } = await homeWith(agent, text)
    await expect(add()).rejects.toMatchObject({
      exit: EXIT.invalid,
      message: expect.stringContaining(why),
      hint: expect.stringMatching(/Add these lines[^]*recollect-hook\.js/),
    })
    expect(await readFile(path, 'utf8')).toBe(text)
    await remove(env, agent).catch(() => undefined)
    expect(await readFile(path, 'utf8')).toBe(text)
  })
})

test('a text that is not UTF-8 stays as it is', async () => {
  const { path, add } = await homeWith('codex', null)
  await writeFile(path, Buffer.from('7b22ff223a317d', 'hex'))
  await expect(add()).rejects.toMatchObject({ message: expect.stringContaining('not UTF-8') })
  expect((await readFile(path)).toString('hex')).toBe('7b22ff223a317d')
})

test('an entry that somebody put beside ours stays', async () => {
  const { env, path, add, read } = await homeWith('claude-code', null)
  await add()
  const edited = await read()
  const mine = { type: 'command', command: 'say done' }
  edited.hooks.Stop[0].hooks.unshift(mine)
  await writeFile(path, JSON.stringify(edited))
  await remove(env, 'claude-code')
  expect(await read()).toEqual({ hooks: { Stop: [{ hooks: [mine] }] } })
})

test('a comment that somebody wrote since: remove says what to delete', async () => {
  const { env, path, add } = await homeWith('gemini', '{}')
  await add()
  const text = `// mine\n${await readFile(path, 'utf8')}`
  await writeFile(path, text)
  await expect(remove(env, 'gemini')).rejects.toMatchObject({
    exit: EXIT.invalid,
    hint: expect.stringContaining('recollect-hook.js'),
  })
  expect(await readFile(path, 'utf8')).toBe(text)
  expect(await stateOf(env, 'gemini', PROGRAM)).toBe('unreadable')
})

test('a link stays a link, a mode stays, and what was there before is kept closed', async () => {
  const { env, path, home, add } = await homeWith('claude-code', null)
  const real = join(home, 'dotfiles.json')
  await writeFile(real, OTHERS, { mode: 0o640 })
  await symlink(real, path)
  await add()
  expect((await lstat(path)).isSymbolicLink()).toBe(true)
  expect((await stat(real)).mode & 0o777).toBe(0o640)
  // It may hold secrets.
  expect((await stat(join(home, '.config/recollect/agents/claude-code.json'))).mode & 0o777).toBe(0o600)
  await remove(env, 'claude-code')
  expect(await readFile(real, 'utf8')).toBe(OTHERS)
  expect((await lstat(path)).isSymbolicLink()).toBe(true)
})

test('OpenCode: a file of its own, which is deleted unless somebody has edited it', async () => {
  const { env, path, add } = await homeWith('opencode', null)
  await add()
  const text = await readFile(path, 'utf8')
  expect(text).toContain(JSON.stringify(PROGRAM.hook))
  await writeFile(path, `${text}// mine\n`)
  await expect(remove(env, 'opencode')).rejects.toMatchObject({ exit: EXIT.conflict })
  await writeFile(path, text)
  expect(await remove(env, 'opencode')).toEqual({ path, removed: true })
  await expect(stat(path)).rejects.toThrow('ENOENT')
  await writeFile(path, 'export const Mine = 1\n')
  await expect(add()).rejects.toMatchObject({
    exit: EXIT.invalid,
    message: expect.stringContaining('not written by this command'),
  })
  expect(await remove(env, 'opencode')).toEqual({ path, removed: false })
})

test('the state tells whether the program is there that the entries run', async () => {
  const { env, home } = await homeWith('codex', null)
  const hook = join(home, 'recollect-hook.js')
  await writeFile(hook, '')
  const program = { node: process.execPath, hook }
  expect(await stateOf(env, 'codex', program)).toBe('not installed')
  await install(env, 'codex', await planInstall(env, 'codex', program))
  expect(await stateOf(env, 'codex', program)).toBe('installed')
  expect(await stateOf(env, 'codex', { ...program, node: '/other/node' })).toBe('outdated')
  expect(await stateOf(env, 'codex', { ...program, hook: join(home, 'gone/recollect-hook.js') })).toBe('outdated')
})
