import { stripVTControlCharacters } from 'node:util'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as Svix } from 'svix'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { Recollect } from 'recollect'
import { until } from '../support/until.ts'
import { Agent } from './support/agent.ts'
import { cliOf, ctrlC, leaksOf, type Cli, type Terminal } from './support/cli.ts'
import { startReceiver, type Received } from './support/receiver.ts'
import { startServer, type Server } from './support/server.ts'

let server: Server
let agent: Agent

beforeAll(async () => {
  server = await startServer({ vars: { LIMITS_FACTOR: '20' }, staticAssets: false })
  agent = await Agent.signUp(server.url)
})
afterAll(() => server.stop())

const shown = (terminal: Terminal): string => stripVTControlCharacters(terminal.output())

const countOf = (text: string, part: string): number => text.split(part).length - 1

/** A listener that forwards to a hook, and the secret that it has made. */
async function forward(cli: Cli, url: string): Promise<{ listening: Terminal; secret: string }> {
  const listening = cli.terminal(['listen', '--forward', url, '--type', 'memory.created'])
  await listening.shows('Listening on memory')
  return { listening, secret: /whsec_\S+/.exec(shown(listening))?.[0] ?? '' }
}

/** The event of a forwarded hook, once both libraries have verified it. */
function verified(secret: string, { headers, body }: Received): { id: string; data: { memory_id: string } } {
  new StandardWebhook(secret).verify(body, headers)
  new Svix(secret).verify(body, headers)
  expect(() => new StandardWebhook(secret).verify(`${body} `, headers)).toThrow('No matching signature')
  const { events } = JSON.parse(body)
  expect(events).toHaveLength(1)
  return events[0]
}

async function endByCtrlC(...terminals: Terminal[]): Promise<void> {
  terminals.forEach(ctrlC)
  for (const { ended } of terminals) expect(await ended).toBe(0)
}

test('contract §5: forwarded hooks are signed: standardwebhooks and svix verify them, a retry too', async () => {
  const cli = await cliOf(agent)
  const { url, received: hits, stop } = await startReceiver({ statuses: [503] })
  const { listening, secret } = await forward(cli, url)
  const { id } = JSON.parse((await cli.run(['store', 'for the hook'])).stdout)
  await until(() => expect(hits).toHaveLength(2))
  await listening.shows(/forwarded {2}200 {2}memory.created {2}evt_\S+ {2}2 attempts/)

  expect(new Set(hits.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  for (const hit of hits) {
    const { headers, body } = hit
    expect(verified(secret, hit)).toMatchObject({ type: 'memory.created', data: { memory_id: id } })
    expect(headers).toMatchObject({ 'user-agent': 'Recollect-Webhook/1', 'content-type': 'application/json' })
    expect(headers['webhook-id']).toMatch(/^dlv_[0-9A-HJKMNP-TV-Z]{26}$/)
    const { subscription_id, timestamp } = JSON.parse(body)
    expect(subscription_id).toMatch(/^sub_[0-9A-HJKMNP-TV-Z]{26}$/)
    expect(timestamp).toMatch(/^\d{4}-.*Z$/)
  }
  expect(await leaksOf([secret])).toEqual([])
  await endByCtrlC(listening)

  const again = cli.terminal(['listen', '--forward', url])
  await again.shows('Listening on memory')
  expect(again.output()).not.toContain('whsec_')
  await endByCtrlC(again)
  stop()
})

test('a hook that stays down is tried three more times and reported, and later events go on', async () => {
  const cli = await cliOf(agent)
  /** The first item that the hook hears of. */
  let doomed: string | undefined
  const statusOf = (body: string) => {
    const { memory_id } = JSON.parse(body).events[0].data as { memory_id: string }
    doomed ??= memory_id
    return memory_id === doomed ? 500 : undefined
  }
  const { url, received, stop } = await startReceiver({ statusOf })
  onTestFinished(stop)
  const { listening, secret } = await forward(cli, url)
  const client = new Recollect({ baseUrl: server.url, credential: { sessionToken: agent.session } })
  const store = async (content: string) => (await client.memory.store({ content })).id
  const stored = [await store('one event'), await store('and the next')]
  await listening.shows(/forwarded {2}200 {2}memory.created {2}evt_\S+ {2}1 attempt\b/)
  expect(shown(listening)).not.toContain('FAILED')
  const first = doomed

  // After 1, 4 and 10 seconds.
  await listening.shows(/FAILED {2}500 {2}memory.created {2}evt_\S+ {2}4 attempts/, 40_000)
  const failed = received.filter(({ status }) => status === 500)
  expect(failed.map((one) => verified(secret, one).data.memory_id)).toEqual(Array.from({ length: 4 }, () => first))
  expect(stored).toContain(first)
  expect(new Set(failed.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect(failed.map(({ headers }) => Number(headers['webhook-timestamp']))).toEqual(
    failed.map(({ headers }) => Number(headers['webhook-timestamp'])).sort((a, b) => a - b),
  )
  const others = received.filter(({ status }) => status === 200)
  expect(others.map((one) => verified(secret, one).data.memory_id)).toEqual(stored.filter((id) => id !== first))

  // A wait between two attempts does not hold Ctrl-C up, and what was not forwarded is said.
  doomed = undefined
  await store('for a hook that is down again')
  await until(() => expect(received.filter(({ status }) => status === 500).length).toBeGreaterThan(4))
  await endByCtrlC(listening)
  expect(shown(listening)).toMatch(/FAILED {2}500 {2}memory.created {2}evt_\S+ {2}[123] attempts?\b/)
}, 120_000)

test('listen survives a service that is killed and started again: no event is lost, and none is forwarded twice', async () => {
  const person = await Agent.signUp(server.url)
  const [hearing, forwarding] = [await cliOf(person), await cliOf(person)]
  const { url, received, stop } = await startReceiver()
  onTestFinished(stop)
  const heard = hearing.terminal(['listen', '--type', 'memory.created'])
  await heard.shows('Listening on memory')
  const { listening, secret } = await forward(forwarding, url)

  // Stores go on while the service dies. Each has a key, so that none is stored twice.
  const client = new Recollect({
    baseUrl: server.url,
    credential: { sessionToken: person.session },
    maxRetries: 1_000,
    timeoutMs: 60_000,
    random: () => 0.05,
  })
  const stored: string[] = []
  const storeSome = async (count: number) => {
    for (let n = 0; n < count; n += 1) stored.push((await client.memory.store({ content: `Line ${n}` })).id)
  }
  const storing = Promise.all(Array.from({ length: 4 }, () => storeSome(10)))
  await until(() => expect(received.length).toBeGreaterThan(3))
  await server.kill()
  await storing
  // What was committed and not sent when it died is sent by the sweep, half a minute later.
  const database = await server.miniflare.getD1Database(server.home.DB)
  await until(
    async () => {
      await database.prepare('update events set resend_at = 0 where settled_at is null').run()
      await server.sweep()
      for (const id of stored) expect(shown(heard)).toContain(id)
      expect(received.length).toBeGreaterThanOrEqual(stored.length)
    },
    { everyMs: 500, withinMs: 60_000 },
  )
  await heard.shows('Reconnected')
  await listening.shows('Reconnected')
  await endByCtrlC(heard, listening)

  expect(new Set(stored).size).toBe(40)
  const forwarded = received.map((one) => verified(secret, one))
  expect(forwarded.map(({ data }) => data.memory_id).sort()).toEqual([...stored].sort())
  expect(new Set(forwarded.map(({ id }) => id)).size).toBe(40)
  for (const id of stored) expect(countOf(shown(heard), id), id).toBe(1)
  expect(shown(heard)).not.toContain('Events may have been lost')
}, 120_000)
