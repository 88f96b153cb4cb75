import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSource } from '../../../../src/cli/convert/source.ts'
import { run } from '../../../../src/cli/run.ts'
import { INPUTS } from '../../support/hook-inputs.ts'
import { started } from '../../support/run-hook.ts'
import { testIo } from '../../support/io.ts'
import { unprivileged } from '../../support/unprivileged.ts'
import { agentHome } from '../../support/agent-home.ts'
import { newRepository } from '../../support/repository.ts'
import { claudeCode, codex, later, readSessions, writeLines } from './support.ts'

test.each(['claude-code', 'codex'] as const)(
  '%s: an import has the ids and texts that the hooks have sent',
  async (agent) => {
    const { hook, home, waiting } = await started()
    const { prompt, answer } = INPUTS[agent]
    const long = { ...prompt, input: { ...prompt.input, prompt: ` ${'x'.repeat(70_000)}\0 ` } }
    for (const recorded of [prompt, long, answer]) await hook(agent, recorded)
    const [turn] = await waiting()
    const cc = claudeCode(home.folder)
    const cx = codex(home.folder)
    const asked = [prompt, long].map(({ input }) => String(input['prompt']))
    const lines =
      agent === 'codex'
        ? [cx.meta(), ...asked.map((text) => cx.prompt(1, 't-1', text)), cx.answer(2, 't-1', 'To Frankfurt.')]
        : [...asked.map((text) => cc.prompt(1, 'p-1', text)), cc.answer(2, 'To Frankfurt.')]
    const path = await writeLines(home.home, 'rollout-1.jsonl', lines)
    const imported = await readSessions(home.io, path, agent)
    expect(imported.said).toEqual(turn?.body.messages.map(({ id, content }) => [id, content]))
    expect(imported.said).toHaveLength(3)
    for (const line of imported.lines)
      expect(line).toMatchObject({
        context: { ...turn?.body.context, conversation_id: turn?.body.conversation_id },
        visibility: turn?.body.visibility,
      })
  },
)

test('the folder of the agent, its subagents left out, with --since and without a login', async () => {
  const { io, home, folder } = await agentHome('https://a.example')
  const { prompt } = claudeCode(folder)
  const own = '.claude/projects/-work-api'
  await writeLines(home, `${own}/s-1.jsonl`, [prompt(1, 'p-1', 'Old.'), prompt(60, 'p-2', 'New.')])
  await writeLines(home, `${own}/s-2.jsonl`, [{ type: 'summary', summary: 'Deploys' }])
  for (const name of ['agent-1.jsonl', 's-1/subagents/agent-2.jsonl'])
    await writeLines(home, `${own}/${name}`, [prompt(1, 'p-1', 'Look.')])
  let out = ''
  io.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  expect(await run(io, ['import', '--from', 'claude-code', '--dry-run', '--since', later(30)], '1.0.0')).toBe(0)
  expect(JSON.parse(out)).toMatchObject({ lines: 1, messages: 1, first: [{ text: 'New.' }] })
  const { counts } = await readSessions(io, join(home, '.claude/projects'), 'claude-code')
  expect(counts).toEqual({ 'session of a subagent': 2, 'file without a session': 1 })
})

test('what the hooks do not remember is not imported either', async () => {
  const { io, home, folder, configure } = await agentHome('https://a.example')
  const off = await newRepository(join(home, 'off'))
  const ignored = await newRepository(join(home, 'ignored'))
  const [plain, gone] = [join(home, 'plain'), join(home, 'gone')]
  await mkdir(plain)
  await writeFile(join(ignored, '.recollectignore'), '')
  await configure({ everywhere: { on: true }, folders: { [off]: { on: false } } })
  const sessions = join(home, 'sessions')
  for (const [n, cwd] of [folder, off, ignored, plain, gone, ''].entries())
    await writeLines(sessions, `s-${n}.jsonl`, [claudeCode(cwd, `s-${n}`).prompt(1, 'p-1', 'One.')])
  const { said, counts } = await readSessions(io, sessions, 'claude-code')
  expect(said).toEqual([['p-1:prompt', 'One.']])
  expect(counts).toEqual({
    [`${off}: it is not enabled`]: 1,
    [`${ignored}: .recollectignore is in this folder or above it`]: 1,
    [`${plain}: it is not in a git repository`]: 1,
    'the folder is gone': 1,
    'the session does not name its folder': 1,
  })
})

test('a folder that cannot be read leaves out its own sessions alone', async () => {
  const { io, home, folder, configure } = await agentHome('https://a.example')
  const broken = await newRepository(join(home, 'broken'))
  await writeFile(join(broken, '.git/config'), '[remote')
  const file = join(home, 'file')
  await writeFile(file, '')
  await configure({ everywhere: { on: true } })
  const sessions = join(home, 'sessions')
  for (const [n, cwd] of [join(file, 'api'), broken, folder].entries())
    await writeLines(sessions, `s-${n}.jsonl`, [claudeCode(cwd, `s-${n}`).prompt(1, 'p-1', 'One.')])
  const { said, counts } = await readSessions(io, sessions, 'claude-code')
  expect(said).toEqual([['p-1:prompt', 'One.']])
  expect(Object.keys(counts).sort()).toEqual([
    expect.stringMatching(/broken: git does not tell the remote of this repository\. fatal: bad config line \d/),
    expect.stringMatching(/file\/api: ENOTDIR/),
  ])
})

test('a file and a folder without permission are named, and the other sessions are read; the whole source is a failure', async () => {
  const { io, home } = testIo()
  const sessions = join(home, 'sessions')
  for (const name of ['a/s-1.jsonl', 'b.jsonl', 'c.jsonl'])
    await writeLines(sessions, name, [claudeCode('').prompt(1, 'p-1', 'One.')])
  await chmod(home, 0o755)
  await chmod(join(sessions, 'b.jsonl'), 0)
  await chmod(join(sessions, 'a'), 0)
  const { counts, unread } = await unprivileged(() => readSessions(io, sessions, 'claude-code'))
  expect(unread).toEqual(['a/: it cannot be read (EACCES)', 'b.jsonl: it cannot be read (EACCES)'])
  expect(counts).toEqual({ 'the session does not name its folder': 1 })
  const alone = unprivileged(() => readSessions(io, join(sessions, 'a'), 'claude-code'))
  await expect(alone).rejects.toThrow('sessions/a cannot be read (EACCES).')
  await chmod(join(sessions, 'a'), 0o700)
})

test('what is deleted while an import reads is named, and the other sessions are read', async () => {
  const { io, home, folder } = await agentHome('https://a.example')
  const sessions = join(home, 'sessions')
  for (const name of ['s-1.jsonl', 's-2.jsonl', 's-3/s-3.jsonl', 's-4.jsonl'])
    await writeLines(sessions, name, [claudeCode(folder, name).prompt(1, 'p-1', name)])
  const source = await openSource(io, sessions, { format: 'claude-code', numbersAsText: false }, io.now())
  const found: string[] = []
  for await (const record of source.records()) {
    found.push('reason' in record ? `${record.from}: ${record.reason}` : JSON.parse(record.line).content.text)
    if (found.length > 1) continue
    await rm(join(sessions, 's-2.jsonl'))
    await rm(join(sessions, 's-3'), { recursive: true })
  }
  expect(found).toEqual([
    's-1.jsonl',
    's-2.jsonl: it cannot be read (ENOENT)',
    's-3/: it cannot be read (ENOENT)',
    's-4.jsonl',
  ])
})

test('a shared folder goes to the project that it is shared with', async () => {
  const { io, home, folder, configure } = await agentHome('https://a.example')
  await configure({ folders: { [folder]: { on: true, share: 'prj_1' } } })
  const path = await writeLines(home, 's-1.jsonl', [claudeCode(folder).prompt(1, 'p-1', 'One.')])
  const other = await readSessions(io, path, 'claude-code')
  expect(other.lines).toEqual([])
  expect(other.counts).toEqual({ [`${folder} is shared with prj_1: import it with --project prj_1`]: 1 })
  const { lines } = await readSessions(io, path, 'claude-code', { project: 'prj_1' })
  expect(lines).toMatchObject([{ visibility: 'project' }])
})

test('usage: no source, standard input, a namespace, a folder without sessions, a compressed one', async () => {
  const { io, home } = await agentHome('https://a.example')
  await expect(readSessions(io, '-', 'codex')).rejects.toThrow('not standard input')
  await expect(readSessions(io, home, 'codex', { namespace: 'a' })).rejects.toThrow('--namespace does not apply to')
  await expect(readSessions(io, join(home, 'none'), 'codex')).rejects.toThrow('does not exist')
  const empty = join(home, 'empty')
  await mkdir(empty)
  await expect(readSessions(io, empty, 'codex')).rejects.toThrow('has no sessions')
  await writeFile(join(empty, 'rollout-1.jsonl.zst'), '')
  expect((await readSessions(io, empty, 'codex')).unread).toEqual([
    'rollout-1.jsonl.zst: it is compressed: unpack it with "zstd -d"',
  ])
  await rm(empty, { recursive: true })
  expect(await run(io, ['import', '--from', 'mem0'], '1.0.0')).toBe(2)
})
