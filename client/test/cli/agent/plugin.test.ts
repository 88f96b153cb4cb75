import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pluginOf } from '../../../src/cli/agent/plugin.ts'
import { testIo } from '../support/io.ts'

/** Keeps what it gets, and recalls a text that tells what it was asked. */
const HOOK = `
import { appendFileSync } from 'node:fs'
let input = ''
for await (const part of process.stdin) input += part
const [, , agent, event] = process.argv
appendFileSync(new URL('heard', import.meta.url), JSON.stringify({ agent, event, ...JSON.parse(input) }) + '\\n')
if (event !== 'answer') process.stdout.write(JSON.stringify({ context: 'recalled at ' + event }))
`

interface Hooks {
  'chat.message': (input: object, output: object) => Promise<void>
  'experimental.chat.system.transform': (input: object, output: { system: string[] }) => Promise<void>
  event: (input: object) => Promise<void>
}

const part = (text: string, more: object = {}) => ({ type: 'text', text, ...more })

async function started(hook = HOOK) {
  const { home } = testIo()
  await writeFile(join(home, 'hook.mjs'), hook)
  await writeFile(join(home, 'heard'), '')
  await writeFile(join(home, 'plugin.mjs'), pluginOf({ node: process.execPath, hook: join(home, 'hook.mjs') }))
  const client = {
    session: {
      get: async ({ path: { id } }: { path: { id: string } }) => ({ data: id === 'child' ? { parentID: 's' } : {} }),
      messages: async () => ({
        data: [
          { info: { role: 'user' }, parts: [part('Where do we deploy?')] },
          { info: { role: 'assistant' }, parts: [part('To Frankfurt.'), { type: 'tool', output: 'x' }] },
        ],
      }),
    },
  }
  const { Recollect } = await import(join(home, 'plugin.mjs'))
  const hooks: Hooks = await Recollect({ client, directory: '/work/api' })
  return {
    say: (sessionID: string, id: string, parts: object[]) =>
      hooks['chat.message']({ sessionID }, { message: { id }, parts }),
    system: async (sessionID: string) => {
      const output = { system: ['You are an agent.'] }
      await hooks['experimental.chat.system.transform']({ sessionID }, output)
      return output.system
    },
    idle: (sessionID: string) => hooks.event({ event: { type: 'session.idle', properties: { sessionID } } }),
    heard: async () =>
      (await readFile(join(home, 'heard'), 'utf8'))
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as { event: string })
        .sort((a, b) => b.event.localeCompare(a.event)),
  }
}

test('the model gets what is recalled, and the hook gets prompts and answers without tools', async () => {
  const { say, system, idle, heard } = await started()
  await say('s', 'msg_1', [part('Where do we deploy?'), part('made up', { synthetic: true }), { type: 'file' }])
  expect(await system('s')).toEqual(['You are an agent.', 'recalled at session', 'recalled at prompt'])
  await idle('s')
  const base = { agent: 'opencode', session_id: 's', turn_id: 'msg_1', cwd: '/work/api' }
  expect(await heard()).toEqual([
    { ...base, event: 'session', prompt: 'Where do we deploy?' },
    { ...base, event: 'prompt', prompt: 'Where do we deploy?' },
    { ...base, event: 'answer', answer: 'To Frankfurt.' },
  ])
  // The session starts once.
  await say('s', 'msg_2', [part('And the database?')])
  expect((await heard()).map(({ event }) => event)).toEqual(['session', 'prompt', 'prompt', 'answer'])
})

test('sessions of subagents are left alone', async () => {
  const { say, system, idle, heard } = await started()
  await say('child', 'msg_1', [part('Look at the tests.')])
  expect(await system('child')).toEqual(['You are an agent.'])
  await idle('child')
  expect(await heard()).toEqual([])
})

test('a hook that fails or prints something else leaves the agent alone', async () => {
  for (const hook of ['process.exit(1)', 'process.stdout.write("no JSON")']) {
    const { say, system, idle } = await started(hook)
    await say('s', 'msg_1', [part('Where do we deploy?')])
    expect(await system('s')).toEqual(['You are an agent.'])
    await idle('s')
  }
})
