/** @module-tag shards */
import { expect, test } from 'vitest'
import type { AuthContext } from '../../../src/core/context.ts'
import { accessParams } from '../../../src/memory/access.ts'
import { readScope } from '../../../src/memory/filter/read-scope.ts'
import { reindexSweep } from '../../../src/memory/keyword/reindex.ts'
import type { SearchReply } from '../../../src/memory/search/search-schema.ts'
import { namedSpeaker, SPEAKER_FACTOR } from '../../../src/memory/search/speaker-sql.ts'
import { withAsked } from '../../support/asked-database.ts'
import { travel } from '../../support/clock.ts'
import { newWriter, type Writer } from '../../support/memory.ts'
import { ctxOf, embedded, find, idsOf, stored } from '../../support/search.ts'
import { until } from '../../support/until.ts'
import { addMember, call, db, newTenant, system, type Tenant } from '../../support/world.ts'

const RAISED = Math.round(100 * (SPEAKER_FACTOR - 1)) / 100
const CONVERSATION = { conversation_id: 'c' }

const turn = (name: string, text: string, more: object = {}) => ({
  content: text,
  context: CONVERSATION,
  turn: { role: 'user', speaker: name },
  ...more,
})

const imported = async (user: Writer, lines: object[]) => {
  const answer = await call('POST', '/v1/memory/import', {
    headers: { ...user.headers, 'Content-Type': 'application/x-ndjson' },
    raw: lines.map((line) => JSON.stringify(line)).join('\n'),
  })
  expect(answer).toMatchObject({ status: 200, body: { failed: 0 } })
  return answer.body.results.map(({ id }: { id: string }) => id) as string[]
}

const search = (user: Tenant, query: string, more: object = {}) =>
  find(ctxOf(user), query, { mode: 'keyword', include: ['score_breakdown'], ...more })

/** What the speaker adds, as a share of the fused score, by text. */
const sharesIn = ({ results }: SearchReply) =>
  Object.fromEntries(
    results.flatMap(({ content: { text }, score_breakdown: parts }) => {
      const { keyword = 0, speaker = 0 } = parts?.contributions ?? {}
      return keyword > 0 ? [[text, Math.round((100 * speaker) / keyword) / 100]] : []
    }),
  )

const keysOf = async (projectId: string) =>
  (
    await db.all<{ speaker_key: string | null }>(
      'select speaker_key from memory_items where project_id = :project order by row',
      { project: projectId },
    )
  ).map(({ speaker_key }) => speaker_key)

/** Two people who both speak of a kettle, far from each other. */
async function twoSpeakers(): Promise<Writer> {
  const user = await newWriter()
  const turns = [
    turn('Ada', 'A blue kettle.', { occurred_at: '2023-05-08T10:00:00Z' }),
    ...Array.from({ length: 9 }, (_, at) =>
      turn('Cy', `Words ${at}`, { occurred_at: `2023-05-08T10:01:0${at}Z`, context: CONVERSATION }),
    ),
    turn('Bo', 'A green kettle.', { occurred_at: '2023-05-08T11:00:00Z' }),
  ]
  await imported(user, turns)
  return user
}

test('contract §3: items of the speaker whom a query names rank higher, and contributions add up to the score', async () => {
  const user = await twoSpeakers()
  const body = await search(user, 'kettle of Ada')
  expect(sharesIn(body)).toEqual({ 'A blue kettle.': RAISED, 'A green kettle.': 0 })
  expect(body.results[0]?.content.text).toBe('A blue kettle.')
  for (const { score, score_breakdown } of body.results) {
    const sum = Object.values(score_breakdown?.contributions ?? {}).reduce((all, one) => all + one, 0)
    expect(score).toBeCloseTo(Math.min(1, sum), 5)
  }
  // Letters that are capital or decomposed name the same person.
  expect(sharesIn(await search(user, 'KETTLE OF BO'))).toEqual({ 'A blue kettle.': 0, 'A green kettle.': RAISED })
  expect(sharesIn(await search(user, 'kettle of A\u0301da'))['A blue kettle.']).toBe(RAISED)
})

test('contract §3: two speakers, no speaker and a name behind sixteen words raise nothing, and nothing else is found', async () => {
  const user = await twoSpeakers()
  const none = { 'A blue kettle.': 0, 'A green kettle.': 0 }
  expect(sharesIn(await search(user, 'kettle of Ada or Bo'))).toEqual(none)
  expect(sharesIn(await search(user, 'kettle of Dan'))).toEqual(none)
  expect(sharesIn(await search(user, 'kettle a b c d e f g h i j k l m n o Ada'))).toEqual(none)
  expect(sharesIn(await search(user, 'kettle a b c d e f g h i j k l m n Ada'))).toMatchObject({
    'A blue kettle.': RAISED,
  })
  const ids = async (query: string) => idsOf(await search(user, query)).toSorted()
  expect(await ids('kettle Cy')).toEqual(await ids('kettle'))
})

test('contract §3: speaker, then time: each adds what it multiplies', async () => {
  const user = await twoSpeakers()
  const { results } = await search(user, 'kettle of Ada in May 2023')
  const { keyword = 0, speaker = 0, date = 0 } = results[0]?.score_breakdown?.contributions ?? {}
  expect(speaker / keyword).toBeCloseTo(SPEAKER_FACTOR - 1, 4)
  expect(date / (keyword + speaker)).toBeCloseTo(0.5, 4)
})

test('every write gives an item its key: store, batch, ingest, import, a change and a deletion', async () => {
  const user = await newWriter()
  const { body: first } = await user.store({ content: 'Ada: hello', context: CONVERSATION })
  await user.store({ content: 'Note: buy tea' })
  await user.send('POST', '/api/memory/batch', {
    operations: [{ op: 'store', content: '田中：はい', context: CONVERSATION }],
  })
  await imported(user, [turn('E\u0301lodie Durand', 'Bo: oui')])
  const messages = [{ role: 'user', name: 'Priya', content: 'Namaste.', timestamp: '2023-05-08T00:00:00Z' }]
  const ingested = await user.send('POST', '/v1/memory/ingest', { conversation_id: 'chat', messages })
  expect(ingested.status).toBeLessThan(300)
  expect(await keysOf(user.projectId)).toEqual(['ada', null, '田中', 'elodie', 'priya'])
  await user.send('PATCH', `/v1/memory/items/${first.id}`, { content: 'Bo: hello' })
  expect((await keysOf(user.projectId))[0]).toBe('bo')
  await user.send('PATCH', `/v1/memory/items/${first.id}`, { context: { conversation_id: null } })
  expect((await keysOf(user.projectId))[0]).toBeNull()
  await user.send('PATCH', `/v1/memory/items/${first.id}`, { context: { conversation_id: 'd' } })
  expect((await keysOf(user.projectId))[0]).toBe('bo')
  await user.send('DELETE', `/v1/memory/items/${first.id}`)
  expect((await keysOf(user.projectId))[0]).toBeNull()
})

test('a note without a conversation names no speaker, and a retired or expired item none either', async () => {
  const user = await newWriter()
  await user.store({ content: 'Ada: a blue kettle', context: CONVERSATION })
  await user.store({ content: 'Note: a kettle' })
  const { body: bo } = await user.store({ content: 'Bo: tea', context: { conversation_id: 'd' } })
  await user.store({ content: 'Cy: tea', context: { conversation_id: 'd' }, ttl: 60 })
  const raised = async (query: string) => sharesIn(await search(user, query))['Ada: a blue kettle']
  expect(await raised('note kettle ada')).toBe(RAISED)
  expect([await raised('kettle ada bo'), await raised('kettle ada cy')]).toEqual([0, 0])
  await user.send('POST', `/v1/memory/items/${bo.id}/retire`, {})
  expect(await raised('kettle ada bo')).toBe(RAISED)
  await user.send('POST', `/v1/memory/items/${bo.id}/restore`, {})
  expect(await raised('kettle ada bo')).toBe(0)
  travel(61_000)
  expect(await raised('kettle ada cy')).toBe(RAISED)
})

test('contract §3: speakers whom the caller may not read change no score and no work', async () => {
  travel(0)
  const owner = await newTenant()
  const [member, other] = [await addMember(owner, 'editor'), await addMember(owner, 'editor')]
  const context = { project_id: owner.projectId, ...CONVERSATION }
  await embedded(ctxOf(member), ['Ada: a blue kettle', 'Eve: words'], { context })
  // Looking past the last entry of an index costs less than looking at another one.
  const zoe = { ...context, conversation_id: 'z' }
  await embedded(ctxOf(member), ['Zoe: words'], { context: zoe })
  await embedded(ctxOf(member), ['Zoe: words'], { context: { ...zoe, namespace: 'z' } })
  await embedded(ctxOf(member), ['Zoe: words'], { context: zoe, visibility: 'private' })
  const ask = async () => {
    const { own, asked } = withAsked(ctxOf(member))
    const scope = { project_id: owner.projectId }
    const found = await find(own, 'kettle of Ada and Bo', {
      mode: 'keyword',
      include: ['score_breakdown'],
      context: scope,
    })
    return { ...found, took_ms: 0, asked }
  }
  await ask()
  const before = await ask()
  expect(before.results[0]?.score_breakdown?.contributions.speaker).toBeGreaterThan(0)
  const texts = Array.from({ length: 20 }, (_, at) => `Bo: words ${at}`)
  await embedded(ctxOf(other), texts, { context: { ...context, conversation_id: 'h' }, visibility: 'private' })
  await embedded(ctxOf(other), texts, { context: { ...context, namespace: 'elsewhere' } })
  const stranger = await newTenant()
  await stored(ctxOf(stranger), 'Bo: words', { context: CONVERSATION })
  expect(await ask()).toEqual(before)
  // Private items of others count for nobody else, not even for an admin.
  const seen = await search(owner, 'kettle of Ada and Bo', { limit: 50, context: { project_id: owner.projectId } })
  expect(sharesIn(seen)['Ada: a blue kettle']).toBe(RAISED)
  // A speaker whom the project may read counts.
  await stored(ctxOf(other), 'Bo: hello', { context: { ...context, conversation_id: 'i' } })
  expect((await ask()).results[0]?.score_breakdown?.contributions.speaker).toBe(0)
})

test('a key that is limited to namespaces knows the speakers of these alone, whichever it names', async () => {
  const owner = await newTenant()
  const place = (namespace: string) => ({ project_id: owner.projectId, namespace, ...CONVERSATION })
  await stored(ctxOf(owner), 'Ada: a blue kettle', { context: place('n') })
  await stored(ctxOf(owner), 'Bo: words', { context: place('m') })
  const limited = ctxOf(owner, { permissions: [{ project_id: owner.projectId, access: 'read', namespaces: ['n'] }] })
  const raised = async (ctx: AuthContext, context: object) => {
    const { results } = await find(ctx, 'kettle of Ada and Bo', {
      mode: 'keyword',
      include: ['score_breakdown'],
      context,
    })
    return (results[0]?.score_breakdown?.contributions.speaker ?? 0) > 0
  }
  const [all, both, one] = [{ namespace: '*' }, { namespaces: ['n', 'm'] }, { namespace: 'n' }]
  for (const context of [all, both, one]) expect(await raised(limited, context)).toBe(true)
  for (const context of [all, both]) expect(await raised(ctxOf(owner), context)).toBe(false)
  expect(await raised(ctxOf(owner), one)).toBe(true)
})

test('contract §3: for a key that is limited to namespaces, a speaker is looked up in its classes alone', async () => {
  const owner = await newTenant()
  const permissions = [{ project_id: owner.projectId, access: 'read' as const, namespaces: ['n', 'o'] }]
  const limited = ctxOf(owner, { permissions })
  const scope = readScope(limited.principal, owner.projectId, { namespace: '*' }, undefined)
  const text = `explain query plan with m as (select 1) ${namedSpeaker(scope)}`
  const values = Object.entries({ ...accessParams(limited), ...scope.params, names: '["ada"]' })
  const used = Object.fromEntries(values.filter(([name]) => new RegExp(`:${name}\\b`).test(text)))
  const plan = await db.all<{ detail: string }>(text, used)
  const [looked] = plan.filter(({ detail }) => detail.includes('memory_items_by_speaker'))
  expect(looked?.detail).toMatch(/\(project_id=\? AND speaker_key=\? AND <expr>=\? AND namespace=\?\)$/)
})

test('items of an earlier version get their key by the sweep, without being indexed again', async () => {
  const user = await newWriter()
  const { body: old } = await user.store({ content: 'Ada: a blue kettle', context: CONVERSATION })
  await user.store({ content: 'Words alone', context: CONVERSATION })
  await user.store({ content: 'Note: a kettle' })
  const { body: retired } = await user.store({ content: 'Bo: tea', context: CONVERSATION })
  await user.send('POST', `/v1/memory/items/${retired.id}/retire`, {})
  await db.write('update memory_items set speaker_key = null where project_id = :project', { project: user.projectId })
  const raised = async (query: string) => sharesIn(await search(user, query))['Ada: a blue kettle']
  expect(await raised('kettle of ada')).toBe(0)
  // Other files may have left more than one run takes.
  const swept = (keys: (string | null)[]) =>
    until(async () => {
      await reindexSweep.run(system)
      expect(await keysOf(user.projectId)).toEqual(keys)
    })
  await swept(['ada', '', null, null])
  expect(await raised('kettle of ada')).toBe(RAISED)
  // A restored item gets its key too, and one whose text an earlier version changed.
  await user.send('POST', `/v1/memory/items/${retired.id}/restore`, {})
  const byEarlier = `update memory_items set text = 'Cy: a kettle', indexed_by = 2 where id = :id`
  await db.write(byEarlier, { id: old.id })
  await swept(['cy', '', null, 'bo'])
})

test('a recall puts what the named speaker said first', async () => {
  const user = await newWriter()
  const far = (day: number) => ({ occurred_at: `2023-05-${10 + day}T10:00:00Z` })
  await imported(user, [
    turn('Ada', 'We bought a blue kettle in Rome.', { ...far(0), context: { conversation_id: 'a' } }),
    turn('Bo', 'We bought a blue kettle in Oslo.', { ...far(1), context: { conversation_id: 'b' } }),
  ])
  for (const [name, text] of [
    ['Ada', 'Rome'],
    ['Bo', 'Oslo'],
  ]) {
    const query = `Which blue kettle did ${name} tell of?`
    const { body } = await user.send('POST', '/v1/memory/recall', { query, format: 'items' })
    expect(body.items[0].text).toContain(text)
  }
})
