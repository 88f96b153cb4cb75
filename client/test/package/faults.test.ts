import { rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type * as Client from '../../src/index.ts'
import type { RecollectEvent, RecollectOptions } from '../../src/index.ts'
import { Agent } from '../../../test/e2e/support/agent.ts'
import { startServer, type Server } from '../../../test/e2e/support/server.ts'
import { until } from '../../../test/support/until.ts'
import { newProject } from './support/build.ts'
import { FAULTS, startFaultyProxy, UPGRADE_FAULTS, type Fault } from './support/faulty-proxy.ts'

let server: Server
let project: string
/** The one of the tarball. */
let packed: typeof Client
beforeAll(async () => {
  const options = { staticAssets: false, vars: { LIMITS_FACTOR: '1000' } }
  ;[server, project] = await Promise.all([startServer(options), newProject()])
  packed = await import(pathToFileURL(join(project, 'node_modules/recollect/index.js')).href)
})
afterAll(async () => {
  await server.stop()
  await rm(project, { recursive: true, force: true })
})

/** A client behind a proxy that fails in turn, and one that speaks to the service itself. */
async function clients(next: (request: IncomingMessage) => Fault, options: Partial<RecollectOptions> = {}) {
  const credential = { sessionToken: (await Agent.signUp(server.url)).session }
  const proxy = await startFaultyProxy(server.url, next)
  onTestFinished(proxy.stop)
  // Waits are short here; how long they are is tested with a clock.
  const faulty = { credential, maxRetries: 100, random: () => 0.02, ...options }
  return {
    proxy,
    client: new packed.Recollect({ baseUrl: proxy.url, ...faulty }),
    direct: new packed.Recollect({ baseUrl: server.url, credential }),
  }
}

const inTurn = (faults: readonly Fault[]): (() => Fault) => {
  let count = 0
  return () => faults[(count += 1) % faults.length] ?? 'none'
}

/** Waits a fiftieth of the time. */
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms / 50))

/**
 * A change or deletion that the network doubles happens once. Its caller gets the answer to the second copy, that there
 * is nothing to do any more.
 */
async function doneOnce(calls: PromiseLike<unknown>[], refusal: typeof Client.RecollectError): Promise<void> {
  const outcomes = await Promise.allSettled(calls)
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []))
  for (const failure of failures) expect(failure).toBeInstanceOf(refusal)
}

const ITEMS = 60

test('whatever happens to requests and lines, nothing is stored twice and no event is lost', async () => {
  const { proxy, client, direct } = await clients(inTurn(FAULTS), { sleep })
  const heard: RecollectEvent[] = []
  const missed: boolean[] = []
  const stream = client.events.listen({
    channels: ['memory'],
    clientId: 'faults',
    onEvent: (event) => heard.push(event),
    onConnected: (state) => missed.push(state.missed),
  })
  onTestFinished(stream.close)
  await until(() => expect(missed.length).toBeGreaterThan(0))

  const texts = Array.from({ length: ITEMS }, (_, n) => `Line ${n} of the log.`)
  const stored = await Promise.all(texts.map((content) => client.memory.store({ content })))
  const changed = stored.slice(0, 20)
  const deleted = stored.slice(20, 40)
  await doneOnce(
    changed.map(({ id, version }) => client.memory.update(id, { tags: ['seen'] }, { ifVersion: version })),
    packed.ConflictError,
  )
  await doneOnce(
    deleted.map(({ id }) => client.memory.delete(id)),
    packed.NotFoundError,
  )

  const left = new Map<string, unknown>()
  for await (const { content, version, tags } of direct.memory.list({ limit: 100 }))
    left.set(content.text, { version, tags })
  expect([...left.keys()].sort()).toEqual([...texts.slice(0, 20), ...texts.slice(40)].sort())
  for (const text of texts.slice(0, 20)) expect(left.get(text)).toEqual({ version: 2, tags: ['seen'] })
  for (const text of texts.slice(40)) expect(left.get(text)).toEqual({ version: 1, tags: [] })

  const namesOf = (type: string) =>
    heard.flatMap((event) => (event.type === type && event.channel === 'memory' ? [event.data.memory_id] : [])).sort()
  await until(() => {
    expect(namesOf('memory.created')).toEqual(stored.map(({ id }) => id).sort())
    expect(namesOf('memory.updated')).toEqual(changed.map(({ id }) => id).sort())
    expect(namesOf('memory.deleted')).toEqual(deleted.map(({ id }) => id).sort())
  })
  expect(new Set(heard.map(({ id }) => id)).size).toBe(heard.length)
  expect(missed).not.toContain(true)
  // All of it has happened.
  expect(new Set(proxy.met)).toEqual(new Set(FAULTS))
  expect(proxy.upgrades()).toBeGreaterThanOrEqual(UPGRADE_FAULTS.length)
  expect(proxy.lines()).toBeGreaterThan(3)
})

/** An export that breaks off after its first line is an error, because it has no position to go on from. */
const BEFORE_FIRST_LINE: Fault[] = ['cut before', 503, 'cut after', 429, 'twice', 502, 'delay']

test('an import and an export arrive whole', async () => {
  const inImport = inTurn(['none', 'cut after', 503, 'half', 'cut before', 'twice', 'delay'])
  const inExport = inTurn(BEFORE_FIRST_LINE)
  const exportMet: Fault[] = []
  const { client } = await clients(({ url }) => {
    if (!url?.startsWith('/v1/memory/export')) return inImport()
    const fault = inExport()
    exportMet.push(fault)
    return fault
  })
  const lines = Array.from({ length: 250 }, (_, n) => ({ content: `Line ${n}.` }))
  const summary = await client.memory.import(lines, { linesPerCall: 50 })
  expect(summary).toMatchObject({ lines: 250, created: 250, failed: 0 })
  // Until each fault has come before a first line.
  while (exportMet.length < BEFORE_FIRST_LINE.length) {
    const texts: string[] = []
    for await (const { content } of client.memory.export()) texts.push(content.text)
    expect(texts.sort()).toEqual(lines.map(({ content }) => content).sort())
  }
  expect(new Set(exportMet)).toEqual(new Set(BEFORE_FIRST_LINE))
})

/** Far later than the time-out of a call, and far earlier than its default of 30 s. */
const TIMEOUT_MS = 400
const LATE_MS = 3_000

test.each<[string, Fault[]]>([
  ['never answers', ['hang']],
  ['answers a byte at a time, for ever', ['drip']],
  ['keeps failing', [503, 'cut before']],
])('no call outlives its time-out at a service that %s', async (_, faults) => {
  const { client } = await clients(inTurn(faults), { timeoutMs: TIMEOUT_MS, maxRetries: 1_000_000, random: () => 0.1 })
  const late = new Promise((resolve) => setTimeout(resolve, LATE_MS, 'late').unref())
  const calls = [
    client.memory.list(),
    client.memory.store({ content: 'x' }),
    client.memory.delete('mem_x'),
    client.memory.import([{ content: 'x' }]),
    // The limit of an export is silence, and a byte ends that.
    ...(faults.includes('drip') ? [] : [client.memory.export().next()]),
  ]
  const failures = await Promise.race([Promise.allSettled(calls), late])
  expect(failures).toHaveLength(calls.length)
  for (const failure of failures as PromiseSettledResult<unknown>[]) {
    expect(failure.status === 'rejected' && failure.reason).toBeInstanceOf(
      faults.includes('hang') ? packed.TimeoutError : packed.RecollectError,
    )
  }
})

test('what the network doubles each time happens once: stores, an import, changes and deletions', async () => {
  const { client, direct } = await clients(() => 'twice', { sleep })
  const stored = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => client.memory.store({ content: `Item ${n}.` })))
  const lines = Array.from({ length: 200 }, (_, n) => ({ content: `Line ${n}.`, context: { namespace: 'import' } }))
  expect(await client.memory.import(lines)).toMatchObject({ created: 200, failed: 0 })
  const texts: string[] = []
  for await (const { content } of direct.memory.export({ namespace: 'import' })) texts.push(content.text)
  expect(texts.sort()).toEqual(lines.map(({ content }) => content).sort())

  await doneOnce(
    stored.slice(0, 3).map(({ id }) => client.memory.update(id, { tags: ['seen'] }, { ifVersion: 1 })),
    packed.ConflictError,
  )
  await doneOnce(
    stored.slice(3).map(({ id }) => client.memory.delete(id)),
    packed.NotFoundError,
  )
  const { data } = await direct.memory.list({ namespace: 'default' })
  expect(data.map(({ id }) => id).sort()).toEqual(
    stored
      .slice(0, 3)
      .map(({ id }) => id)
      .sort(),
  )
  expect(data.map(({ version, tags }) => ({ version, tags }))).toEqual(
    Array.from({ length: 3 }, () => ({ version: 2, tags: ['seen'] })),
  )
})
