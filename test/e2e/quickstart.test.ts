import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requestSnippets } from '../../src/portal/snippets/requests.ts'
import { demoAccount, greeting, type DemoAccount } from '../../tools/demo.ts'
import { ROOT } from '../../tools/wrangler.ts'
import { Agent } from './support/agent.ts'
import { startServer, type Server } from './support/server.ts'

/** The commands that a newcomer pastes, with the exact limits of a key, against a service that is new each time. */

const run = promisify(execFile)
let server: Server
let state: string
let account: DemoAccount | null
/** The line `export RECOLLECT_URL=… RECOLLECT_API_KEY=…` of `npm start`. */
let exported: string
beforeAll(async () => {
  server = await startServer({ outbound: () => ({ status: 204, body: '' }) })
  state = await mkdtemp(join(tmpdir(), 'recollect-quickstart-'))
  account = await demoAccount(server.url, state)
  exported = /^ {2}export .*$/m.exec(greeting(server.url, account))?.[0] ?? ''
})
afterAll(async () => {
  await server.stop()
  await rm(state, { recursive: true, force: true })
})

/** What a shell prints that is given the line of `npm start`, then this. */
const paste = async (commands: string): Promise<string> =>
  (await run('bash', ['-c', `${exported}\n${commands}`])).stdout

const document = (name: string): Promise<string> => readFile(join(ROOT, name), 'utf8')

/** The first block of shell commands below a heading. */
async function blockBelow(heading: string, name: string): Promise<string> {
  const text = await document(name)
  return /```sh\n([\s\S]*?)```/.exec(text.slice(text.indexOf(heading)))?.[1] ?? ''
}

/** The blocks of shell commands behind the mark `run`. */
async function markedBlocks(name: string): Promise<string> {
  const blocks = (await document(name)).matchAll(/<!-- run -->\n\n```sh\n([\s\S]*?)```/g)
  return [...blocks].map(([, commands]) => commands).join('\n')
}

/** The numbers behind `"status":` in what was printed: those of errors, since no resource has a number there. */
const statusesIn = (printed: string): number[] => [...printed.matchAll(/"status":(\d+)/g)].map(([, one]) => Number(one))

test('the question of npm start finds its answer', () => {
  expect(exported).toMatch(/^ {2}export RECOLLECT_URL=http:\/\/127\.0\.0\.1:\d+ RECOLLECT_API_KEY=rck_test_\w+$/)
  expect(account?.first).toEqual({ answer: 'Ada is allergic to peanuts.', ms: expect.any(Number) })
})

test('the block of README is pasted as a whole, and no limit refuses it', async () => {
  const block = await blockBelow('**curl**', 'README.md')
  const printed = await paste(block)
  expect(statusesIn(printed)).toEqual([])
  expect(printed).toMatch(/"ids":\["mem_\w{26}"\]/)
  expect(printed).toMatch(/<memories>.*I cook for two, and I am allergic to peanuts\./)
  // No line of the block is a comment, which a shell of another make would run.
  expect(block).not.toMatch(/^\s*#/m)
})

test('the line of docs/coming-from.md is imported once, however often it is sent', async () => {
  // With a key of its own, because the other tests use the limit of the demo key.
  const key = await (await Agent.signUp(server.url)).makeKey()
  const shown = /```json\n([^]*?)```/.exec(await document('docs/coming-from.md'))?.[1] ?? ''
  const line = JSON.stringify(JSON.parse(shown))
  const send = async () => {
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/x-ndjson' }
    return (await fetch(`${server.url}/v1/memory/import`, { method: 'POST', headers, body: line })).json()
  }
  expect(await send()).toMatchObject({ created: 1, updated: 0 })
  expect(await send()).toMatchObject({ created: 0, updated: 1 })
})

test('each command of the quickstart does what it says', async () => {
  const printed = await paste(await markedBlocks('docs/quickstart.md'))
  // The last read of the deleted memory is the one refusal, and it is on purpose.
  expect(statusesIn(printed)).toEqual([404])
  expect(printed).toContain('"detail":"No such memory item."')
  expect(printed).toContain('"text":"Ben wants invoices by mail."')
  // It ends without a subscription, and without a twin of what npm start has stored.
  expect(JSON.parse(printed.trim().split('\n').at(-1) ?? '')).toMatchObject({ subscriptions: [] })
  const listed = await paste('curl -s "$RECOLLECT_URL/v1/memory/items?tags=ada" -H "X-API-Key: $RECOLLECT_API_KEY"')
  const texts = (JSON.parse(listed) as { data: { content: { text: string } }[] }).data.map(
    ({ content }) => content.text,
  )
  expect(texts.sort()).toEqual(['Ada is allergic to peanuts.', 'Ada prefers tea without sugar.'])
})

test('the commands of the page on webhooks make one, keep its secret and test it', async () => {
  const helpers = await blockBelow('<!-- run -->', 'docs/quickstart.md')
  const printed = await paste(`${helpers}\n${await markedBlocks('docs/webhooks.md')}\necho "$WEBHOOK_SECRET"`)
  expect(statusesIn(printed)).toEqual([])
  // The deletion, between the list and the secret, has no body.
  const [tested = '', listed = '', , secret] = printed.trim().split('\n')
  expect(listed).toContain((JSON.parse(tested) as { delivery_id: string }).delivery_id)
  expect(secret).toMatch(/^whsec_\S+$/)
})

test('the code that the portal shows for a request runs as it stands, in curl and in TypeScript', async () => {
  const key = account?.key ?? undefined
  const text = 'Ada\'s "peanuts": a \\ and $HOME'
  const request = { path: '/api/memory/store', call: 'memory.store', body: { content: text, tags: ['shown'] } }
  const [curl, typeScript] = requestSnippets(server.url, request, key).map((snippet) => snippet.text)
  const { stdout } = await run('bash', ['-c', curl ?? ''])
  expect(JSON.parse(stdout)).toMatchObject({ content: { text } })
  const program = join(state, 'shown.mts')
  const client = pathToFileURL(join(ROOT, 'client/src/index.ts')).href
  await writeFile(program, (typeScript ?? '').replace("'recollect'", `'${client}'`))
  const printed = await run(process.execPath, [program])
  expect(printed.stdout).toMatch(/id: 'mem_\w{26}'/)
})
