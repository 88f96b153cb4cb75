import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requestSnippets } from '../../src/portal/snippets/requests.ts'
import { pythonEnvironment } from '../../tools/python/environment.ts'
import { ROOT } from '../../tools/wrangler.ts'
import { Agent } from './support/agent.ts'
import { hasPython } from './support/python.ts'
import { startServer, type Server } from './support/server.ts'

const run = promisify(execFile)
const ENVIRONMENT_MS = 240_000

let server: Server
let key: string
beforeAll(async () => {
  server = await startServer({ vars: { LIMITS_FACTOR: '20' }, staticAssets: false })
  key = await (await Agent.signUp(server.url)).makeKey(['read:memory', 'write:memory', 'read:events'])
})
afterAll(() => server.stop())

/** Runs Python with the client, and with the key in its environment. */
async function python(args: string[], apiKey = key): Promise<string> {
  const environment = await pythonEnvironment()
  const env = { PATH: process.env['PATH'], ...environment.env, RECOLLECT_URL: server.url, RECOLLECT_API_KEY: apiKey }
  return (await run(environment.python, args, { env })).stdout
}

test.runIf(hasPython)(
  'the example of the Python client stores, searches, exports and imports, and doubles nothing when it runs again',
  async () => {
    const example = [join(ROOT, 'examples/python/memory.py')]
    // An item of the project without a custom_id.
    const other = { method: 'POST', headers: { 'X-API-Key': key, 'Content-Type': 'application/json' } }
    const stored = await fetch(`${server.url}/api/memory/store`, { ...other, body: '{"content":"Ben has a dog."}' })
    expect(stored.status).toBe(201)
    const lines = ['found Ada is allergic to peanuts.', 'exported 1', 'imported: 0 created, 1 updated', '']
    expect(await python(example)).toMatch(new RegExp(`^stored mem_\\w+, version 1\n${lines.join('\n')}$`))
    expect(await python(example)).toContain(lines.join('\n'))
    const list = await fetch(`${server.url}/v1/memory/items`, { headers: { 'X-API-Key': key } })
    expect(((await list.json()) as { data: unknown[] }).data).toHaveLength(2)
    const refused = python(example, `${key.slice(0, -1)}?`)
    await expect(refused).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(/^invalid_token: .*\(req_/) })
    // The code that the portal shows, with a text that needs quoting.
    const search = { path: '/api/memory/search', call: 'memory.search', body: { query: 'who\'s "allergic"?' } }
    const shown = requestSnippets(server.url, search, key).find(({ language }) => language === 'Python')?.text ?? ''
    expect(await python(['-c', shown])).toContain('Ada is allergic to peanuts.')
  },
  ENVIRONMENT_MS,
)

test.runIf(hasPython)(
  'the Python of README remembers and recalls, and stores nothing twice when it runs again',
  async () => {
    const readme = await readFile(join(ROOT, 'README.md'), 'utf8')
    const block = /```python\n([^]*?)```/.exec(readme)?.[1] ?? ''
    for (const printed of [await python(['-c', block]), await python(['-c', block])])
      expect(printed.match(/I cook for two, and I am allergic to peanuts\./g)).toHaveLength(1)
  },
  ENVIRONMENT_MS,
)

const LISTENS = `
import asyncio
from recollect import AsyncRecollect, Connected, Recollect
from recollect.types import RecollectEvent

stored: list[str] = []

def is_mine(event: RecollectEvent) -> bool:
    return event["type"] == "memory.created" and event["data"]["memory_id"] in stored

def listen() -> str | None:
    with Recollect() as client:
        def store(state: Connected) -> None:
            stored.append(client.memory.store(content="The kettle whistles at noon.")["id"])
        stream = client.events.stream(channels=["memory"], on_connected=store)
        for event in stream:
            if is_mine(event):
                print("sync")
                return stream.last_event_id

async def listen_again(last: str | None) -> None:
    async with AsyncRecollect() as client:
        # The event in hand was not handled, so that the service sends it again.
        async for event in client.events.stream(channels=["memory"], last_event_id=last):
            if is_mine(event):
                return print("async")

asyncio.run(listen_again(listen()))
`

test.runIf(hasPython)(
  'contract §5: the Python clients listen, and resume where the other one left off',
  async () => {
    expect(await python(['-c', LISTENS])).toBe('sync\nasync\n')
  },
  ENVIRONMENT_MS,
)

const CHATS = `
import asyncio
from recollect import AsyncRecollect, Message, Recollect

said: list[Message] = [
    {"role": "user", "content": "I cook for two, and I am allergic to peanuts."},
    {"role": "assistant", "name": "Kim", "content": "Noted."},
]
with Recollect() as client:
    for _ in range(2):
        kept = client.remember(said, user="kim@example.com", conversation_id="lunch", idempotency_key="turn-1")
        print([len(message["ids"]) for message in kept["messages"]])

async def recall() -> None:
    async with AsyncRecollect() as client:
        asked = "What can I cook without peanuts?"
        text = (await client.recall(asked, user="kim@example.com"))["text"]
        print("allergic to peanuts" in text)
        print((await client.recall(asked, user="ada"))["text"] == "")

asyncio.run(recall())
print(sum(1 for _ in Recollect().memory.list(namespace="user:kim@example.com")))
`

test.runIf(hasPython)(
  'the Python clients remember a conversation once, and recall it for its user alone',
  async () => {
    expect(await python(['-c', CHATS])).toBe('[1, 1]\n[1, 1]\nTrue\nTrue\n2\n')
  },
  ENVIRONMENT_MS,
)
