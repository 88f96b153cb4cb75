// A chat with a memory: what you type is stored, and similar lines are recalled. Press Ctrl-D to end it.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createInterface } from 'node:readline/promises'
import { Recollect, verifyWebhook } from 'recollect'

const { HOOK = 'http://localhost:3000/hook' } = process.env
// The address and the key come from RECOLLECT_URL and RECOLLECT_API_KEY.
const recollect = new Recollect()

// Events arrive while the program runs. After a lost connection, the stream resumes without gaps or duplicates.
const stream = recollect.events.listen({
  channels: ['memory'],
  onEvent: (event) => event.type === 'memory.created' && console.log(`event: ${event.data.memory_id} is stored`),
})

// A webhook sends the same events to your own server. Trust nothing before the signature is verified.
const hook = await recollect.subscriptions.create({
  channels: ['memory'],
  events: ['memory.embedding_complete'],
  delivery: { method: 'webhook', url: HOOK },
})
const { secret } = await recollect.subscriptions.secret(hook.subscription_id)
async function receive(request: IncomingMessage, response: ServerResponse) {
  const body = Buffer.concat(await request.toArray())
  const webhook = await verifyWebhook({ headers: request.headers, body }, secret).catch(() => null)
  response.writeHead(webhook ? 204 : 400).end()
  for (const { type } of webhook?.events ?? []) console.log(`webhook: ${type}`)
}
const server = createServer((...exchange) => void receive(...exchange)).listen(Number(new URL(HOOK).port))

for await (const line of createInterface({ input: process.stdin })) {
  const { results } = await recollect.memory.search({ query: line, limit: 3, filters: { tags: ['chat'] } })
  for (const { content } of results) console.log(`recalled: ${content.text}`)
  await recollect.memory.store({ content: line, tags: ['chat'], ttl: 30 * 24 * 3_600, wait_ms: 5_000 })
}

await recollect.subscriptions.delete(hook.subscription_id)
stream.close()
server.close()
