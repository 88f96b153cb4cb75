import { spawn, execFile } from 'node:child_process'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { until } from '../support/until.ts'
import { ROOT } from '../../tools/wrangler.ts'
import { startReceiver, type Received } from './support/receiver.ts'
import { startServer, type Server } from './support/server.ts'

/** The receivers of docs/webhooks.md take what the service sends, and nothing else. */

const run = promisify(execFile)
let server: Server
let folder: string
let session = ''
beforeAll(async () => {
  server = await startServer({ vars: { LIMITS_FACTOR: '100' } })
  // Below the repository, so that the packages are found.
  folder = await mkdtemp(join(ROOT, 'node_modules/.cache-receivers-'))
  const signedUp = await fetch(`${server.url}/auth/register-user`, {
    method: 'POST',
    body: new URLSearchParams({ email: 'hooks@example.com', password: 'a password for webhooks', name: 'Hooks' }),
  })
  session = ((await signedUp.json()) as { session_token: string }).session_token
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

async function api<T>(method: string, path: string, body?: object): Promise<T> {
  const headers = { 'X-Session-Token': session, ...(body ? { 'Content-Type': 'application/json' } : {}) }
  const answer = await fetch(`${server.url}${path}`, { method, headers, body: body ? JSON.stringify(body) : null })
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
  return (await answer.json()) as T
}

/** A webhook to this address, and its secret. */
async function subscribe(url: string): Promise<{ id: string; secret: string }> {
  const delivery = { method: 'webhook', url }
  const { subscription_id: id } = await api<{ subscription_id: string }>('POST', '/api/events/subscriptions', {
    channels: ['memory'],
    delivery,
  })
  return { id, ...(await api<{ secret: string }>('GET', `/v1/events/subscriptions/${id}/secret`)) }
}

async function code(name: string): Promise<string> {
  const text = await readFile(join(ROOT, 'docs/webhooks.md'), 'utf8')
  const found = new RegExp(`<!-- run: ${name} -->\\n\\n\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``).exec(text)?.[1]
  if (found === undefined) throw new Error(`docs/webhooks.md has no code for ${name}`)
  return found
}

/** A delivery as it came, and the secret of its subscription. */
async function delivered(): Promise<Received & { secret: string }> {
  const receiver = await startReceiver()
  onTestFinished(() => receiver.stop())
  const { id, secret } = await subscribe(receiver.url)
  await api('POST', `/v1/events/subscriptions/${id}/test`)
  await until(() => expect(receiver.received).toHaveLength(1))
  const [received] = receiver.received
  if (!received) throw new Error('nothing came')
  return { ...received, secret }
}

const signatureHeaders = ({ headers }: Received) => ({
  'webhook-id': headers['webhook-id'] ?? '',
  'webhook-timestamp': headers['webhook-timestamp'] ?? '',
  'webhook-signature': headers['webhook-signature'] ?? '',
})

test('the receiver for Node takes a delivery and refuses a forged one', async () => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/hook`
  const { id, secret } = await subscribe(url)
  const file = join(folder, 'receiver.mjs')
  await writeFile(file, await code('node'))
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill())
  const printed: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => printed.push(line))
  await until(async () => expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401))
  await api('POST', `/v1/events/subscriptions/${id}/test`)
  await until(() => expect(printed.join('\n')).toMatch(/^[a-z]+\.\w+ /m))
})

test('the verification without a library takes a delivery, and refuses a changed and an old one', async () => {
  const { headers, body, secret, ...rest } = await delivered()
  const file = join(folder, 'verify.mjs')
  await writeFile(file, await code('web'))
  const { verified } = (await import(/* @vite-ignore */ file)) as {
    verified: (request: Request, secret: string, now?: number) => Promise<{ id: string }[] | null>
  }
  const request = (text: string) =>
    new Request('http://x/', { method: 'POST', body: text, headers: signatureHeaders({ headers, body, ...rest }) })
  expect(await verified(request(body), secret)).toEqual(JSON.parse(body).events)
  expect(await verified(request(body.replace('evt_', 'evt-')), secret)).toBeNull()
  expect(await verified(request(body), `whsec_${btoa('another secret of 24 byt')}`)).toBeNull()
  expect(await verified(request(body), secret, Date.now() + 600_000)).toBeNull()
})

test('the verification for Python takes a delivery, and refuses a changed one', async () => {
  const { secret, ...received } = await delivered()
  const python = await run('python3', ['--version']).catch(() => null)
  const text = await code('python')
  expect(text).toContain('def verified(headers, body: bytes, secret: str):')
  // Where there is no Python, the code is only read.
  if (python === null) return
  const file = join(folder, 'verify.py')
  const input = JSON.stringify({ headers: signatureHeaders(received), body: received.body, secret })
  await writeFile(
    file,
    `${text}
import sys
given = json.loads(sys.argv[1])
one = lambda body: verified(given["headers"], body.encode(), given["secret"])
print(json.dumps([one(given["body"]), one(given["body"].replace("evt_", "evt-"))]))
`,
  )
  const { stdout } = await run('python3', [file, input])
  expect(JSON.parse(stdout)).toEqual([JSON.parse(received.body).events, null])
})

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}
