import { execFile } from 'node:child_process'
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from '../../../tools/wrangler.ts'
import { Agent } from '../../../test/e2e/support/agent.ts'
import { startServer, type Server } from '../../../test/e2e/support/server.ts'
import { newProject } from './support/build.ts'

let server: Server
let project: string
beforeAll(async () => {
  const peers = ['ai', '@anthropic-ai/sdk', '@langchain/langgraph-checkpoint', '@openai/agents-core', '@types/node']
  ;[server, project] = await Promise.all([startServer({ staticAssets: false }), newProject(peers)])
  await mkdir(join(project, 'src'))
  await copyFile(join(import.meta.dirname, 'programs/round-trip.ts'), join(project, 'src/round-trip.ts'))
})
afterAll(async () => {
  await server.stop()
  await rm(project, { recursive: true, force: true })
})

const CONSUMER = `
import { Recollect, verifyWebhook, NotFoundError, type RecollectEvent } from 'recollect'

export async function use(recollect: Recollect, request: Request): Promise<string[]> {
  const { data, response, requestId } = await recollect.memory.store({ content: 'Tea.' }).withResponse()
  const status: number = response.status
  const id: string = data.id
  await recollect.memory.update(id, { tags: ['tea'] }, { ifVersion: data.version })
  const names: string[] = []
  for await (const project of recollect.projects.list({ limit: 10 })) names.push(project.name)
  const { data: members } = await recollect.request('GET', '/v1/workspaces/{id}/members', { path: { id }, query: { limit: 1 } })
  for await (const event of recollect.events.listen({ channels: ['memory'] })) names.push(titleOf(event))
  const { events } = await verifyWebhook(request, 'whsec_x')
  return [...names, ...events.map(titleOf), ...members.map(({ user_id }) => user_id), String(status), String(requestId)]
}

function titleOf(event: RecollectEvent): string {
  if (event.type === 'memory.created') return event.data.memory_id + event.data.version.toFixed(0)
  return event.type === 'message.new' ? event.data.conversation_id : event.channel
}

export const codeOf = (error: unknown): string => (error instanceof NotFoundError ? error.code : 'other')

// @ts-expect-error: the content is missing
export const wrongBody = (recollect: Recollect) => recollect.memory.store({ tags: ['tea'] })
// @ts-expect-error: there is no such operation
export const wrongPath = (recollect: Recollect) => recollect.request('GET', '/v1/nothing')
// @ts-expect-error: the id is missing
export const wrongIds = (recollect: Recollect) => recollect.projects.retrieve()
// @ts-expect-error: the version is a number
export const wrongReply = async (recollect: Recollect): Promise<string> => (await recollect.memory.retrieve('mem_1')).version
`

const ADAPTERS = `
import { betaMemoryTool } from '@anthropic-ai/sdk/helpers/beta/memory'
import { generateText, wrapLanguageModel, type LanguageModel, type ToolSet } from 'ai'
import { InMemoryStore, type BaseStore } from '@langchain/langgraph-checkpoint'
import { Recollect } from 'recollect'
import { memoryMiddleware, memoryTools } from 'recollect/ai-sdk'
import { memoryHandlers } from 'recollect/anthropic'
import { recall, remember, type Message } from 'recollect/conversations'
import { recallNode, RecollectStore } from 'recollect/langgraph'

type Wrapped = Parameters<typeof wrapLanguageModel>[0]['model']
const context = { namespace: 'chat:ada' }

export async function answer(model: Wrapped, recollect: Recollect): Promise<string> {
  const tools: ToolSet = memoryTools({ recollect, context })
  const middleware = memoryMiddleware({ recollect, context, onError: (error: unknown) => console.error(error) })
  const remembering: LanguageModel = wrapLanguageModel({ model, middleware })
  const { text } = await generateText({ model: remembering, tools, prompt: 'May I eat peanuts?' })
  return text
}

export const files = (recollect: Recollect) => betaMemoryTool(memoryHandlers({ recollect, context }))

export const stores = (recollect: Recollect): BaseStore[] => [new InMemoryStore(), new RecollectStore({ recollect })]

export async function recalled(recollect: Recollect): Promise<unknown[]> {
  const found = await new RecollectStore({ recollect }).search(['users'], { query: 'allergy', limit: 3 })
  return found.map(({ value, score }) => [value['text'], score?.toFixed(1)])
}

export async function conversed(recollect: Recollect, messages: Message[]): Promise<[string, string | undefined, string | null]> {
  const { messages: kept } = await remember(messages, { recollect, user: 'ada', conversationId: 'c1', mode: 'history' })
  const { text } = await recall('tea?', { recollect, user: 'ada', maxTokens: 150 })
  const { items } = await recall(messages, { recollect, user: 'ada', format: 'items' })
  return [text, kept[0]?.ids[0], items[0]?.speaker ?? null]
}

export const node = (recollect: Recollect): Promise<Record<'memories', string>> =>
  recallNode({ recollect, maxTokens: 150 })({ messages: [] }, { configurable: { user_id: 'ada' } })

// @ts-expect-error: a message has a role
export const noRole = (recollect: Recollect) => remember({ content: 'x' }, { recollect, conversationId: 'c1' })
// @ts-expect-error: a message is of a conversation
export const noConversation = (recollect: Recollect) => remember({ role: 'user', content: 'x' }, { recollect })
// @ts-expect-error: a text is recalled, no items
export const noItems = async (recollect: Recollect) => (await recall('tea?', { recollect })).items
// @ts-expect-error: a middleware is no model
export const noModel = (recollect: Recollect): LanguageModel => memoryMiddleware({ recollect, onError: () => {} })
// @ts-expect-error: the files are in a service
export const noClient = () => memoryHandlers({ context })
// @ts-expect-error: a namespace is a path
export const wrongPath = (recollect: Recollect) => new RecollectStore({ recollect }).get('users', 'allergy')
`

const MAIN = (extension: string) => `
import { roundTrip } from './round-trip${extension}'
declare const process: { env: Record<string, string | undefined> }

const { BASE = '', KEY = '' } = process.env
console.log(await roundTrip(BASE, { apiKey: KEY }))
`

const NODE16 = { module: 'node16', moduleResolution: 'node16' }
const BUNDLER = { module: 'esnext', moduleResolution: 'bundler' }
const STRICTER = {
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  noPropertyAccessFromIndexSignature: true,
  verbatimModuleSyntax: true,
}

/** Compiles sources of the project into `out`; what the compiler says. */
async function compile(sources: Record<string, string>, out: string, options: object): Promise<string> {
  for (const [name, text] of Object.entries(sources)) await writeFile(join(project, 'src', name), text)
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
    strict: true,
    skipLibCheck: false,
    rootDir: 'src',
    outDir: out,
    ...options,
  }
  const files = Object.keys(sources).map((name) => `src/${name}`)
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, '-p', project]).catch(
    (error: { stdout: string }) => error,
  )
  return stdout
}

/** What a script of the project prints as JSON against the service. */
async function run(script: string): Promise<unknown> {
  const agent = await Agent.signUp(server.url)
  const KEY = await agent.makeKey(['read:memory', 'write:memory', 'read:events'])
  const env = { PATH: process.env['PATH'], BASE: server.url, KEY }
  const { stdout } = await promisify(execFile)(process.execPath, [script], { cwd: project, env })
  return JSON.parse(stdout)
}

const DONE = { heard: ['memory.created'], found: [true], gone: 'not_found' }

test('TypeScript for node16 under plain strict takes its types, and what it emits runs a round trip', async () => {
  expect(await compile({ 'consumer.ts': CONSUMER, 'main.ts': MAIN('.js') }, 'node16', NODE16)).toBe('')
  expect(await run('node16/main.js')).toMatchObject(DONE)
})

test.each([
  ['plain strict', {}],
  ['all that is stricter', STRICTER],
])('TypeScript for a bundler under %s takes its types, and the bundle runs a round trip', async (_, stricter) => {
  const out = `bundler-${Object.keys(stricter).length}`
  const options = { ...BUNDLER, ...stricter }
  expect(await compile({ 'consumer.ts': CONSUMER, 'main.ts': MAIN('') }, out, options)).toBe('')
  const bundle = `${out}/bundle.mjs`
  await build({
    absWorkingDir: project,
    entryPoints: [`${out}/main.js`],
    outfile: bundle,
    bundle: true,
    format: 'esm',
    target: 'es2022',
  })
  expect(await run(bundle)).toMatchObject(DONE)
})

const AGENTS = `
import { Agent, MemorySession, run } from '@openai/agents-core'
import { Recollect } from 'recollect'
import { memoryTools, recollectSession } from 'recollect/openai-agents'

export async function asked(recollect: Recollect): Promise<string | undefined> {
  const agent = new Agent({ name: 'Cook', tools: memoryTools({ recollect, user: 'ada' }) })
  const session: MemorySession = recollectSession(new MemorySession(), { recollect, user: 'ada' })
  return (await run(agent, 'May I eat peanuts?', { session })).finalOutput
}

// @ts-expect-error: a session keeps the history
export const noSession = (recollect: Recollect) => recollectSession({ recollect, user: 'ada' })
// @ts-expect-error: the tokens are a number
export const noTokens = (recollect: Recollect) => memoryTools({ recollect, maxTokens: 'many' })
`

test.each([
  ['node16', NODE16],
  ['a bundler', BUNDLER],
])('TypeScript for %s takes the types of the session and tools of the OpenAI Agents SDK', async (_, options) => {
  // To check the declarations of this SDK too takes ten seconds.
  const needed = { types: ['node'], lib: ['esnext', 'dom', 'dom.iterable'], skipLibCheck: true }
  expect(await compile({ 'agents.ts': AGENTS }, 'agents', { ...options, ...needed, noEmit: true })).toBe('')
})

test.each([
  ['node16', NODE16],
  ['a bundler', BUNDLER],
])("TypeScript for %s takes the adapters' types with those of the packages that they adapt", async (_, options) => {
  // Those packages need the types of Node, and of ECMAScript's newest library.
  const needed = { types: ['node'], lib: ['esnext', 'dom', 'dom.iterable'] }
  expect(await compile({ 'adapters.ts': ADAPTERS }, 'adapters', { ...options, ...needed, noEmit: true })).toBe('')
})
