/**
 * `npm run bench:canaries [-- --items 10000]`
 *
 * One item in 200 is about one subject, with words of its own in each field, in an earlier text, in the reason of a retirement,
 * in events and in what their receiver answers. The subject is erased. It prints where the words are in the databases of the
 * service before, and at each new status of the receipt, with what the receipt counts.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startServer } from '../test/e2e/support/server.ts'
import { lookFor } from './support/canaries.ts'
import { seedUsers, waitUntilEmbedded } from './support/seed.ts'
import { ask } from './support/soak-load.ts'
import { Texts } from './support/texts.ts'
import { until } from './support/until.ts'

const { values } = parseArgs({ options: { items: { type: 'string', default: '10000' } } })
const items = Number(values.items)
/** One item in as many is about the subject. */
const SHARE = 200
const BATCH = 50
const LOOK_MS = 2_000
const EMBED_SECONDS = 900

/** No word of these is stemmed, or begins as another word does. */
const PLACES = ['text', 'earlier', 'tag', 'name', 'namespace', 'conversation', 'document', 'session', 'key', 'value']
const SAID = ['reason', 'subject', 'message', 'reply'] as const
const word = (place: string): string => `qzv${place}kw`
/** FTS5 leaves out the first letters of a term that the one before has too. */
const WORDS = [...PLACES, ...SAID].map((place) => word(place).slice(3))

const texts = new Texts(1)
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const state = await mkdtemp(join(tmpdir(), 'recollect-canaries-'))
let answered = 0
const receiver = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    answered += 1
    response.end(Buffer.concat(parts).includes(word('message')) ? word('reply') : 'thanks')
  })
})
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
const server = await startServer({ persistTo: state, vars: { LIMITS_FACTOR: '1000' }, staticAssets: false })

const itemOf = (nth: number): object =>
  nth % SHARE > 0
    ? { op: 'store', content: texts.text(40) }
    : {
        op: 'store',
        content: { text: `${texts.text(20)} ${word('earlier')}`, metadata: { [word('key')]: word('value') } },
        context: {
          subject: word('subject'),
          namespace: word('namespace'),
          conversation_id: word('conversation'),
          document_id: word('document'),
          session_id: word('session'),
        },
        tags: [word('tag')],
        custom_id: `${word('name')}-${nth}`,
      }

async function print(when: string): Promise<void> {
  const { databases, tables, files } = await lookFor(state, WORDS)
  const list = Array.from(tables, ([table, rows]) => `${table} ${rows}`).join(', ')
  console.log(
    `${when}: rows of ${databases} databases that have a word: ${list || 'none'}. Files with their bytes, free pages too: ${files}`,
  )
}

try {
  const [user] = await seedUsers(server.url, 2)
  if (!user) throw new Error('users are made in pairs')
  const send = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await ask(server.url, user.session, method, path, body)
    if (!answer?.ok) throw new Error(`${method} ${path}: ${answer?.status} ${JSON.stringify(answer?.body)}`)
    return answer.body as T
  }
  await send('POST', '/api/events/subscriptions', {
    channels: ['conversation', 'memory'],
    events: ['message.new', 'memory.updated'],
    delivery: { method: 'webhook', url: hook },
  })
  const ids: string[] = []
  for (let at = 0; at < items; at += BATCH) {
    const operations = Array.from({ length: BATCH }, (_, nth) => itemOf(at + nth))
    const { results } = await send<{ results: { id: string }[] }>('POST', '/api/memory/batch', { operations })
    ids.push(...results.filter((_, nth) => (at + nth) % SHARE === 0).map(({ id }) => id))
  }
  for (const [nth, id] of ids.entries()) {
    await send('PATCH', `/v1/memory/items/${id}`, { content: `${texts.text(20)} ${word('text')}` })
    const data = { conversation_id: word('conversation'), subject: word('subject'), text: word('message') }
    await send('POST', '/api/events/publish', { type: 'message.new', data, project_id: user.projectId })
    if (nth % 5 === 0) await send('POST', `/v1/memory/items/${id}/retire`, { reason: word('reason') })
  }
  await waitUntilEmbedded(server, EMBED_SECONDS)
  const events = 2 * ids.length
  await until(
    'deliveries',
    () => answered >= events,
    () => answered,
  )
  await print(`${items} items, ${ids.length} of the subject`)

  const requestedAt = performance.now()
  const { id } = await send<{ id: string }>('POST', '/v1/erasures', { subject: word('subject') })
  for (let before = 'running'; before !== 'completed';) {
    await wait(LOOK_MS)
    await server.sweep()
    const receipt = await send<{ status: string; counts: object }>('GET', `/v1/erasures/${id}`)
    if (receipt.status === before) continue
    before = receipt.status
    const seconds = ((performance.now() - requestedAt) / 1_000).toFixed(0)
    await print(`${receipt.status} after ${seconds} s, ${JSON.stringify(receipt.counts)}`)
  }
} finally {
  await server.stop()
  receiver.close()
  await rm(state, { recursive: true, force: true })
}
