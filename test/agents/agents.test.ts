import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { TITLES } from '../../client/src/cli/agent/agents.ts'
import { isSessionAgent } from '../../client/src/cli/convert/sessions/from-sessions.ts'
import { Agent as Person } from '../e2e/support/agent.ts'
import { startServer, type Server } from '../e2e/support/server.ts'
import { installed } from './support/installed.ts'
import { startModel } from './support/model/scripted-model.ts'
import { PROGRAMS, type Program } from './support/programs.ts'
import { succeed } from './support/run.ts'
import { newWorkplace, writeFiles } from './support/workplace.ts'

const FACT = 'The deploys of this service go to the region fra-7.'
const QUESTION = 'Which region do the deploys of this service go to?'

let server: Server

beforeAll(async () => {
  server = await startServer({ vars: { LIMITS_FACTOR: '1000' }, staticAssets: false })
})
afterAll(() => server?.stop())

/** A program that is installed, with a home of its own, and the model that it asks. */
async function started(program: Program) {
  const { path, version } = await installed(program)
  console.log(`${TITLES[program.agent]} ${version}`)
  const model = await startModel('Understood.')
  onTestFinished(() => model.stop())
  const person = await Person.signUp(server.url)
  const place = await newWorkplace(person)
  onTestFinished(() => place.remove())
  Object.assign(place.env, program.env(place.home, model.url))
  await writeFiles(place.home, program.files(model.url))
  const run = (...args: string[]) => succeed(path, args, { cwd: place.folder, env: place.env })
  return { model, person, place, run, say: (prompt: string) => run(...program.ask(prompt)) }
}

test.each(PROGRAMS)('$agent: what was told in one session is asked of the model in the next', async (program) => {
  const { model, place, say } = await started(program)
  await place.recollect('agent', 'install', program.agent, '--yes')
  await say(FACT)
  expect(model.asked.splice(0).some(({ body }) => body.includes(FACT))).toBe(true)
  await place.sent(FACT)
  await say(QUESTION)
  const asked = model.asked.filter(({ body }) => body.includes(QUESTION))
  expect(asked.map(({ body }) => body).join('\n')).toContain('fra-7')
})

const KEEPS_SESSIONS = PROGRAMS.filter(({ agent }) => isSessionAgent(agent))

test.each(KEEPS_SESSIONS)('$agent: its own session, imported, is what its hooks have stored', async (program) => {
  const { place, say } = await started(program)
  await place.recollect('agent', 'install', program.agent, '--yes')
  await say(FACT)
  await place.sent(FACT)
  const stored = await place.stored()
  expect(stored).toHaveLength(2)
  const report: unknown = JSON.parse(await place.recollect('import', '--from', program.agent, '--json'))
  expect(report).toMatchObject({ created: 0, updated: 2, failed: 0 })
  expect(await place.stored()).toEqual(stored)
})

test.each(PROGRAMS)(
  '$agent: the MCP server, connected as docs/mcp.md says: the model gets its tools',
  async (program) => {
    const { model, person, place, run, say } = await started(program)
    const key = await person.makeKey()
    place.env['RECOLLECT_KEY'] = key
    const { args, files = {} } = program.connect(`${server.url}/mcp`, key)
    await writeFiles(place.home, files)
    if (args) await run(...args)
    await say(QUESTION)
    const asked = model.asked.map(({ body }) => body).join('\n')
    expect(asked).toContain(QUESTION)
    expect(asked).toContain('search_memories')
  },
)

test('cursor: what was told in one session is recalled by the next, by its documented input', async () => {
  const place = await newWorkplace(await Person.signUp(server.url))
  onTestFinished(() => place.remove())
  await place.recollect('agent', 'install', 'cursor', '--yes')
  const { hooks } = JSON.parse(await readFile(join(place.home, '.cursor/hooks.json'), 'utf8')) as CursorHooks
  const hook = (hook_event_name: string, conversation_id: string, more: object) => {
    const base = { conversation_id, generation_id: 'g-1', hook_event_name, cursor_version: '3.24.18' }
    const input = JSON.stringify({ ...base, workspace_roots: [place.folder], ...more })
    const command = hooks[hook_event_name]?.[0]?.command ?? ''
    return succeed('sh', ['-c', command], { cwd: place.home, env: place.env, input })
  }
  expect(await hook('sessionStart', 's-1', { session_id: 's-1' })).toBe('{}')
  expect(await hook('beforeSubmitPrompt', 's-1', { prompt: FACT, attachments: [] })).toBe('{"continue":true}')
  await hook('afterAgentResponse', 's-1', { text: 'Understood.' })
  await place.sent(FACT)
  expect(JSON.parse(await hook('sessionStart', 's-2', { session_id: 's-2' }))).toMatchObject({
    additional_context: expect.stringContaining('fra-7'),
  })
})

interface CursorHooks {
  hooks: Record<string, { command: string }[]>
}
