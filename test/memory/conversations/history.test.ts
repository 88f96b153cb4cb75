/**
 * @module-tag long
 * @module-tag shards
 */
import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Meter } from '../../../src/core/database/meter.ts'
import { ingest, ingestEndpoint } from '../../../src/memory/conversations/ingest.ts'
import { IngestBody, type IngestReport } from '../../../src/memory/conversations/ingest-schema.ts'
import { RUNNING_MS } from '../../../src/core/idempotency/claim.ts'
import { travel } from '../../support/clock.ts'
import { copyTurns } from '../../support/copied-turns.ts'
import { interrupted } from '../../support/interrupted.ts'
import { keyed } from '../../support/keyed.ts'
import { racing } from '../../support/race.ts'
import { ctxOf } from '../../support/search.ts'
import { db, newTenant, system, type Tenant } from '../../support/world.ts'

type Sent = string | { role?: string; content?: string; id?: string }
const message = (one: Sent) =>
  typeof one === 'string'
    ? { role: one.startsWith('a') ? 'assistant' : 'user', content: one }
    : { role: 'user', content: 'x', ...one }
const bodyOf = (messages: readonly Sent[], more: object = {}) =>
  IngestBody.parse({ conversation_id: 'c', mode: 'history', messages: messages.map(message), ...more })
const requestOf = (tenant: Tenant, changes: object = {}) =>
  ctxOf(tenant, { requestId: system.newId('req'), ...changes })
const send = (tenant: Tenant, messages: readonly Sent[], more: object = {}, changes: object = {}) =>
  ingest(requestOf(tenant, changes), bodyOf(messages, more))
const statuses = ({ messages }: IngestReport): string =>
  messages.map(({ status, reason }) => (reason === undefined ? status[0] : '-')).join('')
const rows = (tenant: Tenant) =>
  db.all<{ id: string; text: string }>(
    'select id, text from memory_items where project_id = :project and deleted_at is null order by occurrence, id',
    { project: tenant.projectId },
  )
const texts = async (tenant: Tenant) => (await rows(tenant)).map(({ text }) => text)

test('the last messages each time: only what is new is stored', async () => {
  const tenant = await newTenant()
  expect(statuses(await send(tenant, ['u1', 'a1']))).toBe('cc')
  expect(statuses(await send(tenant, ['u1', 'a1', 'u2', 'a2']))).toBe('uucc')
  expect(statuses(await send(tenant, ['a1', 'u2', 'a2', 'u3']))).toBe('uuuc')
  for (let n = 0; n < 3; n++) expect(statuses(await send(tenant, ['u2', 'a2', 'u3']))).toBe('uuu')
  expect(await texts(tenant)).toEqual(['u1', 'a1', 'u2', 'a2', 'u3'])
})

test('a deleted turn stays deleted, and what comes behind it is stored', async () => {
  const tenant = await newTenant()
  const { messages } = await send(tenant, ['u1', 'a1', 'u2'])
  await db.all(`update memory_items set deleted_at = 1, delete_reason = 'deleted' where id = :id returning row`, {
    id: messages[1]?.ids[0] ?? '',
  })
  expect(statuses(await send(tenant, ['u1', 'a1', 'u2', 'a2']))).toBe('u-uc')
  expect(await texts(tenant)).toEqual(['u1', 'u2', 'a2'])
  const withId = await send(tenant, ['u1', { id: 'gone', content: 'a1' }, 'u2', 'a2', 'u3'])
  expect(statuses(withId)).toBe('u-uuc')
})

test('an expired start is not stored again', async () => {
  const tenant = await newTenant()
  await send(tenant, ['u1', 'a1'], { ttl: 60 })
  await send(tenant, ['u1', 'a1', 'u2'])
  travel(61_000)
  const report = await send(tenant, ['u1', 'a1', 'u2', 'a2'])
  expect(statuses(report)).toBe('--uc')
  expect(report.messages[0]).toEqual({ ids: [], status: 'skipped', reason: 'history' })
})

test('a regenerated answer is stored behind the one before; under its id it takes its place', async () => {
  const tenant = await newTenant()
  await send(tenant, ['u1', 'a1'])
  expect(statuses(await send(tenant, ['u1', 'a1 again']))).toBe('uc')
  expect(await texts(tenant)).toEqual(['u1', 'a1', 'a1 again'])
  await send(tenant, ['u1', { id: 'm', role: 'assistant', content: 'a2' }])
  expect(statuses(await send(tenant, ['u1', { id: 'm', role: 'assistant', content: 'a3' }, 'u4']))).toBe('uuc')
  expect(await texts(tenant)).toEqual(['u1', 'a1', 'a1 again', 'a3', 'u4'])
})

test('a summary in front is no new turn', async () => {
  const tenant = await newTenant()
  await send(tenant, ['u1', 'a1', 'u2', 'a2'])
  expect(statuses(await send(tenant, ['So far: u1, a1', 'u2', 'a2', 'u3']))).toBe('-uuc')
  const system_ = { role: 'system', content: 'So far' }
  expect(statuses(await send(tenant, [system_, 'a2', 'u3', 'a3']))).toBe('-uuc')
  expect(await texts(tenant)).toEqual(['u1', 'a1', 'u2', 'a2', 'u3', 'a3'])
})

test('two honest "yes" are two turns', async () => {
  const tenant = await newTenant()
  await send(tenant, ['a one?', 'yes', 'a two?'])
  expect(statuses(await send(tenant, ['a one?', 'yes', 'a two?', 'yes']))).toBe('uuuc')
  expect(statuses(await send(tenant, ['yes', 'a two?', 'yes', 'yes']))).toBe('uuuc')
  expect(await texts(tenant)).toEqual(['a one?', 'yes', 'a two?', 'yes', 'yes'])
})

test('of equal texts, the speaker and the role tell messages apart', async () => {
  const tenant = await newTenant()
  await send(tenant, ['hi'])
  expect(statuses(await send(tenant, [{ role: 'assistant', content: 'hi' }]))).toBe('c')
  const named = IngestBody.parse({
    conversation_id: 'c',
    mode: 'history',
    messages: [{ role: 'user', name: 'Ada', content: 'hi' }],
  })
  expect(statuses(await ingest(requestOf(tenant), named))).toBe('c')
})

test('200 turns with the last 100 sent each time are 200 turns in order', async () => {
  const tenant = await newTenant()
  const all = Array.from({ length: 200 }, (_, n) => (n % 7 === 0 ? 'yes' : `u${n}`))
  for (let end = 20; end <= 200; end += 20) await send(tenant, all.slice(Math.max(0, end - 100), end))
  expect(await texts(tenant)).toEqual(all)
})

test('long messages are matched by all their parts', async () => {
  const tenant = await newTenant()
  const long = 'A sentence of the talk. '.repeat(6_000)
  await send(tenant, ['u1', long])
  const again = await send(tenant, ['u1', long, 'u2'])
  expect(statuses(again)).toBe('uuc')
  expect(again.messages[1]?.ids).toHaveLength(3)
})

test('a retired turn counts as stored', async () => {
  const tenant = await newTenant()
  const { messages } = await send(tenant, ['u1', 'a1'])
  await db.all(`update memory_items set deleted_at = 1, retired_at = 1 where id = :id returning row`, {
    id: messages[1]?.ids[0] ?? '',
  })
  const again = await send(tenant, ['u1', 'a1', 'u2'])
  expect(again.messages.map(({ status }) => status)).toEqual(['unchanged', 'retired', 'created'])
  expect(again.messages[1]?.ids).toEqual(messages[1]?.ids)
})

test('of two at once, the second plans again and sees the first', async () => {
  const tenant = await newTenant()
  await send(tenant, ['u1'])
  const first = () => send(tenant, ['u1', 'a1', 'u2'])
  const second = await send(tenant, ['u1', 'a1', 'u2', 'a2'], {}, { db: racing(first) })
  expect(statuses(second)).toMatch(/^u..c$/)
  expect(await texts(tenant)).toEqual(['u1', 'a1', 'u2', 'a2'])
  const many = await Promise.all(Array.from({ length: 8 }, () => send(tenant, ['u2', 'a2', 'u3', 'a3'])))
  expect(many.map(statuses).filter((one) => one === 'uucc')).toHaveLength(1)
  expect(await texts(tenant)).toEqual(['u1', 'a1', 'u2', 'a2', 'u3', 'a3'])
})

test('of two appends at once, one comes behind the other', async () => {
  const tenant = await newTenant()
  const append = { mode: 'append' }
  const texts2 = (name: string) => Array.from({ length: 5 }, (_, n) => `${name}${n}`)
  await Promise.all(['u', 'v', 'w'].map((name) => send(tenant, texts2(name), append)))
  const stored = await texts(tenant)
  expect(stored).toHaveLength(15)
  for (const name of ['u', 'v', 'w']) {
    const at = stored.indexOf(`${name}0`)
    expect(stored.slice(at, at + 5)).toEqual(texts2(name))
  }
  const withIds = (text: string) => [{ id: 'm', content: text }]
  const [a, b] = await Promise.all([send(tenant, withIds('one'), append), send(tenant, withIds('one'), append)])
  expect([statuses(a), statuses(b)].toSorted()).toEqual(['c', 'u'])
})

/** Enough for several commits. */
const LONG = Array.from({ length: 12 }, (_, n) => `${n} ${'word '.repeat(2_500)}`)

test('killed at any step and sent three times, every message is stored once and in order', async () => {
  const sendLong = (tenant: Tenant, database = db) =>
    keyed(tenant, ingestEndpoint, (ctx) => ingest(ctx, bodyOf(LONG, { mode: 'append' })), {
      fingerprint: 'f',
      db: database,
    })
  for (let at = 0, died = true; died; at++) {
    const tenant = await newTenant()
    died = false
    const dying = interrupted(async (step) => {
      if (step < at) return
      died = true
      throw new Error('killed')
    })
    await sendLong(tenant, dying).catch(() => undefined)
    for (let n = 0; n < 3; n++) {
      travel(RUNNING_MS + 1_000)
      await sendLong(tenant)
    }
    expect(await texts(tenant), `killed at ${at}`).toEqual(LONG)
  }
})

test('killed at any step, a message that becomes shorter keeps nothing of its longer text', async () => {
  const talk = (count: number, word: string) => `${word} `.repeat((count * 60_000) / (word.length + 1))
  const shorter = { id: 'm', content: talk(2, 'short') }
  const sendShorter = (tenant: Tenant, database = db) =>
    keyed(tenant, ingestEndpoint, (ctx) => ingest(ctx, bodyOf([shorter], { mode: 'append' })), { db: database })
  for (let at = 0, died = true; died; at++) {
    const tenant = await newTenant()
    await send(tenant, [{ id: 'm', content: talk(3, 'long') }], { mode: 'append' })
    died = false
    const dying = interrupted(async (step) => {
      if (step < at) return
      died = true
      throw new Error('killed')
    })
    await sendShorter(tenant, dying).catch(() => undefined)
    travel(RUNNING_MS + 1_000)
    await sendShorter(tenant)
    expect((await texts(tenant)).join('') === shorter.content, `killed at ${at}`).toBe(true)
  }
})

test('contract §3: messages of one id in a request are one, which says what the last of them says', async () => {
  const message = fc.record({
    id: fc.constantFrom('m', 'n'),
    letter: fc.constantFrom('a', 'b'),
    characters: fc.constantFrom(6, 70_000, 140_000),
  })
  const request = fc.array(message, { minLength: 2, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 2 }), async (requests) => {
      const tenant = await newTenant()
      const said = new Map<string, string>()
      for (const sent of requests) {
        const messages = sent.map(({ id, letter, characters }) => ({
          id,
          content: `${letter} `.repeat(characters / 2),
        }))
        for (const { id, content } of messages) said.set(id, content)
        const first = await send(tenant, messages, { mode: 'append' })
        expect((await texts(tenant)).join('') === [...said.values()].join('')).toBe(true)
        const again = await send(tenant, messages, { mode: 'append' })
        expect(statuses(again)).toBe('u'.repeat(sent.length))
        expect(again.messages.map(({ ids }) => ids)).toEqual(first.messages.map(({ ids }) => ids))
      }
    }),
    { numRuns: 6 },
  )
})

test('killed in the middle without a key, history stores the rest', async () => {
  const tenant = await newTenant()
  const dying = interrupted(async (step) => {
    if (step > 4) throw new Error('killed')
  })
  await send(tenant, LONG, {}, { db: dying }).catch(() => undefined)
  const before = (await texts(tenant)).length
  expect(before).toBeGreaterThan(0)
  expect(before).toBeLessThan(LONG.length)
  const report = await send(tenant, LONG)
  expect(statuses(report)).toBe('u'.repeat(before) + 'c'.repeat(LONG.length - before))
  expect(await texts(tenant)).toEqual(LONG)
})

/** `TURNS=100000 npm test -- test/memory/conversations/history` asks the same of a longer conversation. */
const MANY_TURNS = Number(env.TURNS || 3_000)

test('an ingest reads as many rows in a long conversation as in one of 300 turns', async () => {
  const read = async (turns: number, mode: string) => {
    const tenant = await newTenant()
    const model = await send(tenant, ['u'])
    const copies = Array.from({ length: turns }, () => 'c')
    await copyTurns(model.messages[0]?.ids[0] ?? '', copies)
    const last = Array.from({ length: 20 }, (_, n) => `u${n}`)
    await send(tenant, last, { mode: 'append' })
    const meter: Meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
    await send(tenant, [...last, 'new', { id: 'm', content: 'other' }], { mode }, { db: db.metered(meter) })
    return meter.rowsRead
  }
  for (const mode of ['append', 'history']) expect(await read(MANY_TURNS, mode), mode).toBe(await read(300, mode))
})
