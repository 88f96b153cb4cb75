import { expect, test } from 'vitest'
import { store } from '../../../src/memory/operations/store.ts'
import { StoreInput } from '../../../src/memory/item.ts'
import { auditOf } from '../../support/audit.ts'
import { travel } from '../../support/clock.ts'
import { newWriter, writerFor, type Writer } from '../../support/memory.ts'
import { racing } from '../../support/race.ts'
import { ctxOf, losingQueues } from '../../support/search.ts'
import { addMember, db } from '../../support/world.ts'

const retire = (user: Writer, id: string) => user.send('POST', `/v1/memory/items/${id}/retire`)
const restore = (user: Writer, id: string) => user.send('POST', `/v1/memory/items/${id}/restore`)
const idOf = async (user: Writer, body: unknown): Promise<string> => (await user.store(body)).body.id
const statusOf = async (user: Writer, id: string) => (await user.get(id)).body.status
const liveTexts = async (user: Writer): Promise<string[]> =>
  (await user.send('GET', '/v1/memory/items')).body.data.map((item: any) => item.content.text)

test('contract §3: the commit of a new item retires those that it supersedes', async () => {
  const user = await newWriter()
  const [lisbon, porto] = [await idOf(user, { content: 'Lisbon' }), await idOf(user, { content: 'Porto' })]
  const stored = await user.store({
    content: 'Braga',
    supersedes: [lisbon, { id: porto, if_version: 1 }],
    supersede_reason: 'moved',
  })
  expect(stored).toMatchObject({ status: 201, body: { status: 'current', version: 1 } })
  for (const id of [lisbon, porto]) {
    const facts = { status: 'retired', retired_reason: 'moved', superseded_by: stored.body.id, version: 2 }
    expect((await user.get(id)).body).toMatchObject(facts)
  }
  expect(await liveTexts(user)).toEqual(['Braga'])
  const rows = await auditOf(stored.headers.get('x-request-id') ?? '')
  expect(rows.map(({ action, resource_ids }) => [action, ...resource_ids].join(' ')).toSorted()).toEqual(
    [`memory.retire ${lisbon}`, `memory.retire ${porto}`, `memory.store ${stored.body.id}`].toSorted(),
  )
  const events = await db.all<{ data: string }>(
    "select data from events where tenant_id = :tenant and type = 'memory.updated'",
    { tenant: user.tenantId },
  )
  expect(events.map(({ data }) => JSON.parse(data))).toEqual([
    expect.objectContaining({ change: 'retired', superseded_by: stored.body.id, version: 2 }),
    expect.objectContaining({ change: 'retired', superseded_by: stored.body.id, version: 2 }),
  ])
})

test('checks come in this order: 404, 403, 412, 409, 422, and nothing is written', async () => {
  const owner = await newWriter()
  const editor = await writerFor(await addMember(owner, 'editor'))
  const inProject = { context: { project_id: owner.projectId } }
  const hidden = await idOf(owner, { content: 'hidden', visibility: 'private' })
  const unwritable = await idOf(owner, {
    content: 'lent',
    visibility: 'private',
    permissions: [{ user_id: editor.userId, access: 'read' }],
  })
  const shared = await idOf(owner, { content: 'shared' })
  const retired = await idOf(owner, { content: 'retired' })
  await retire(owner, retired)
  const supersede = (...supersedes: unknown[]) =>
    editor.store({ content: 'new', custom_id: 'own', ...inProject, supersedes })
  const outdated = { id: shared, if_version: 7 }
  expect((await supersede(unwritable, outdated, retired, hidden)).status).toBe(404)
  expect((await supersede(outdated, retired, unwritable)).status).toBe(403)
  expect((await supersede(retired, outdated)).status).toBe(412)
  expect((await supersede(retired)).status).toBe(409)
  expect((await supersede('mem_none')).status).toBe(404)
  travel(1_000)
  const own = await idOf(editor, { content: 'own', custom_id: 'own', ...inProject })
  expect((await supersede(own, retired)).status).toBe(409)
  const itself = await supersede(own)
  expect(itself).toMatchObject({ status: 422, body: { errors: [{ path: 'supersedes.0', code: 'own_item' }] } })
  expect((await owner.get(shared)).body).toMatchObject({ status: 'current', version: 1 })
  expect((await editor.get(own)).body).toMatchObject({ content: { text: 'own' }, version: 1 })
  travel(1_000)
  for (const wrong of [[], [shared, { id: shared }], Array.from({ length: 11 }, (_, n) => `mem_${n}`), [1]])
    expect((await supersede(...wrong)).status).toBe(422)
  expect((await editor.store({ content: 'x', supersede_reason: 'why' })).status).toBe(422)
})

test('whoever may read a superseded item may read its successor', async () => {
  const owner = await newWriter()
  const editor = await writerFor(await addMember(owner, 'editor'))
  const viewer = await addMember(owner, 'viewer')
  const grant = { user_id: viewer.userId, access: 'read' }
  const inProject = { context: { project_id: owner.projectId } }
  const mine = { visibility: 'private', ...inProject }
  const shared = await idOf(editor, { content: 'for all', ...inProject })
  const granted = await idOf(editor, { content: 'for two', ...mine, permissions: [grant] })
  const theirs = await idOf(owner, {
    content: 'theirs',
    ...mine,
    permissions: [{ user_id: editor.userId, access: 'write' }],
  })
  const refused = async (body: object, code: string) => {
    const answer = await editor.store({ content: 'new', ...body })
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ code }] } })
  }
  await refused({ ...mine, supersedes: [shared] }, 'wider_readers')
  await refused({ ...mine, supersedes: [granted] }, 'wider_readers')
  await refused({ ...mine, permissions: [grant], supersedes: [theirs] }, 'wider_readers')
  await refused(
    { ...inProject, context: { ...inProject.context, namespace: 'else' }, supersedes: [shared] },
    'other_place',
  )
  expect((await editor.store({ content: 'new', ...mine, permissions: [grant], supersedes: [granted] })).status).toBe(
    201,
  )
  expect((await editor.store({ content: 'new', ...inProject, supersedes: [shared, theirs] })).status).toBe(201)
})

test('superseded_by is shown to whoever may read the successor, and is "gone" once that is erased', async () => {
  const owner = await newWriter()
  const viewer = await writerFor(await addMember(owner, 'viewer'))
  const old = await idOf(owner, { content: 'old' })
  const successor = await idOf(owner, { content: 'new', supersedes: [old] })
  expect((await viewer.get(old)).body.superseded_by).toBe(successor)
  await owner.send('PATCH', `/v1/memory/items/${successor}`, { visibility: 'private' })
  expect((await viewer.get(old)).body).toMatchObject({ status: 'retired', superseded_by: null })
  expect((await owner.get(old)).body.superseded_by).toBe(successor)
  await retire(owner, successor)
  expect((await owner.get(old)).body.superseded_by).toBe(successor)
  await owner.send('DELETE', `/v1/memory/items/${successor}`)
  expect((await owner.get(old)).body.superseded_by).toBe('gone')
  expect((await restore(owner, old)).body).not.toHaveProperty('superseded_by')
})

test('no circle: an item that becomes current has no successor', async () => {
  const user = await newWriter()
  const a = await idOf(user, { content: 'a', custom_id: 'a' })
  const b = await idOf(user, { content: 'b', supersedes: [a] })
  const back = await user.store({ content: 'a again', custom_id: 'a', supersedes: [b] })
  expect(back).toMatchObject({ status: 200, body: { id: a, status: 'current', version: 3 } })
  expect((await user.get(b)).body).toMatchObject({ status: 'retired', superseded_by: a })
})

test('a retired item holds its custom_id: the same text leaves it retired, another makes it current', async () => {
  const user = await newWriter()
  const id = await idOf(user, { content: 'Lisbon', custom_id: 'office' })
  await retire(user, id)
  const same = await user.store({ content: 'Lisbon', custom_id: 'office', tags: ['x'] })
  expect(same).toMatchObject({ status: 200, body: { id, status: 'retired', version: 2, tags: [] } })
  const other = await idOf(user, { content: 'other' })
  const taken = await user.send('PATCH', `/v1/memory/items/${other}`, { custom_id: 'office' })
  expect(taken.body.code).toBe('custom_id_taken')
  const superseding = await user.store({ content: 'Lisbon', custom_id: 'office', supersedes: [other] })
  expect(superseding.status).toBe(409)
  const changed = await user.store({ content: 'Porto', custom_id: 'office', tags: ['x'] })
  expect(changed).toMatchObject({ status: 200, body: { id, status: 'current', version: 3, tags: ['x'] } })
  const { body } = await user.send('POST', '/api/memory/search', { query: 'Porto', mode: 'keyword' })
  expect(body.results.map((item: any) => item.id)).toEqual([id])
  await user.send('DELETE', `/v1/memory/items/${id}`)
  expect((await user.store({ content: 'free', custom_id: 'office' })).status).toBe(201)
})

test('with deduplicate the item that is found becomes the successor', async () => {
  const user = await newWriter()
  const old = await idOf(user, { content: 'old' })
  const equal = await idOf(user, { content: 'equal' })
  const found = await user.store({ content: 'equal', deduplicate: true, supersedes: [old] })
  expect(found).toMatchObject({ status: 200, body: { id: equal, deduplicated: true, version: 1 } })
  expect((await user.get(old)).body).toMatchObject({ status: 'retired', superseded_by: equal })
  expect((await user.store({ content: 'equal', deduplicate: true, supersedes: [equal] })).status).toBe(422)
  // A retired item is not found.
  await retire(user, equal)
  expect((await user.store({ content: 'equal', deduplicate: true })).status).toBe(201)
})

test('a store with an idempotency key supersedes once, and its retry answers the same item', async () => {
  const user = await newWriter()
  const old = await idOf(user, { content: 'old' })
  const body = { content: 'new', supersedes: [old] }
  const key = { 'Idempotency-Key': 'once' }
  const [first, second] = await Promise.all([user.store(body, key), user.store(body, key)])
  expect([first.status, second.status]).toEqual([201, 201])
  expect(first.body.id).toBe(second.body.id)
  expect((await user.store(body, key)).body.id).toBe(first.body.id)
  expect((await user.get(old)).body).toMatchObject({ superseded_by: first.body.id, version: 2 })
})

test('of two stores that supersede one item, one does, and the other writes nothing', async () => {
  const user = await newWriter()
  const old = await idOf(user, { content: 'old' })
  const answers = await Promise.all(
    ['left', 'right'].map((content) => user.store({ content, supersedes: [old], tags: [content] })),
  )
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
  const winner = answers.find(({ status }) => status === 201)
  expect((await user.get(old)).body.superseded_by).toBe(winner?.body.id)
  expect(await liveTexts(user)).toEqual([winner?.body.content.text])
})

/** A store that supersedes `id`, while `first` happens right before its commit. */
const storeRacing = async (user: Writer, id: string, first: () => Promise<unknown>) =>
  store(
    ctxOf(user, { db: racing(first), queues: losingQueues }),
    StoreInput.parse({ content: 'new', supersedes: [id] }),
  ).then(
    () => 'stored',
    (error: { code: string }) => error.code,
  )

test('a store that loses its superseded item to a deletion, a change or a retirement plans again', async () => {
  const user = await newWriter()
  const race = async (change: (id: string) => Promise<unknown>) => {
    const id = await idOf(user, { content: 'old' })
    return { id, outcome: await storeRacing(user, id, () => change(id)) }
  }
  const path = (id: string) => `/v1/memory/items/${id}`
  expect((await race((id) => user.send('DELETE', path(id)))).outcome).toBe('not_found')
  expect((await race((id) => retire(user, id))).outcome).toBe('conflict')
  expect(await liveTexts(user)).toEqual([])
  const changed = await race((id) => user.send('PATCH', path(id), { content: 'changed' }))
  expect(changed.outcome).toBe('stored')
  expect((await user.get(changed.id)).body).toMatchObject({
    content: { text: 'changed' },
    status: 'retired',
    version: 3,
  })
  expect(await liveTexts(user)).toEqual(['new'])
})

test('a batch supersedes, and a bad operation spares the others', async () => {
  const user = await newWriter()
  const [a, b] = [await idOf(user, { content: 'a' }), await idOf(user, { content: 'b' })]
  const { body } = await user.send('POST', '/api/memory/batch', {
    operations: [
      { op: 'store', content: 'a2', supersedes: [a] },
      { op: 'store', content: 'a3', supersedes: [a] },
      { op: 'update', id: b, tags: ['t'] },
      { op: 'store', content: 'b2', supersedes: [{ id: b, if_version: 2 }] },
    ],
  })
  expect(body.results.map((one: any) => one.error?.status ?? one.status)).toEqual([
    'success',
    409,
    'success',
    'success',
  ])
  expect((await user.get(b)).body).toMatchObject({ status: 'retired', tags: ['t'], version: 3 })
  expect((await liveTexts(user)).toSorted()).toEqual(['a2', 'b2'])
  travel(1_000)
  const atomic = await user.send('POST', '/api/memory/batch', {
    atomic: true,
    operations: [
      { op: 'store', content: 'a4', supersedes: [body.results[0].id] },
      { op: 'restore', id: a },
      { op: 'restore', id: a },
    ],
  })
  expect(atomic.status).toBe(422)
  expect(await statusOf(user, a)).toBe('retired')
  expect((await liveTexts(user)).toSorted()).toEqual(['a2', 'b2'])
})

test('a later operation of the same batch cannot hide the successor from readers of what it superseded', async () => {
  const user = await newWriter()
  const old = await idOf(user, { content: 'old', custom_id: 'old' })
  const kept = await idOf(user, { content: 'kept', custom_id: 'kept' })
  for (const [change, detail] of [
    [{ visibility: 'private' }, 'A private item can supersede'],
    [{ context: { namespace: 'other' } }, 'An item can supersede only items of its own project and namespace'],
  ] as const) {
    const { status, body } = await user.send('POST', '/api/memory/batch', {
      atomic: true,
      operations: [
        { op: 'store', content: 'new', custom_id: 'kept', supersedes: [old] },
        { op: 'update', id: kept, ...change },
      ],
    })
    expect(status).toBe(422)
    expect(body.results[1].error).toMatchObject({ status: 422, detail: expect.stringContaining(detail) })
    expect(await statusOf(user, old)).toBe('current')
  }
})

test('a batch that supersedes an item and stores its text with deduplicate finds another item that has it', async () => {
  const user = await newWriter()
  const [first, second] = [await idOf(user, { content: 'same' }), await idOf(user, { content: 'same' })]
  const { status, body } = await user.send('POST', '/api/memory/batch', {
    operations: [
      { op: 'store', content: 'new', supersedes: [first] },
      { op: 'store', content: 'same', deduplicate: true },
    ],
  })
  expect(status).toBe(200)
  expect(body.results.map((result: any) => result.status)).toEqual(['success', 'success'])
  expect(body.results[1].item.id).toBe(second)
})

test('a refused supersession says which of the items it is about', async () => {
  const user = await newWriter()
  const one = await idOf(user, { content: 'one' })
  const { status, body } = await user.store({ content: 'new', supersedes: [one, { id: `${one}x` }] })
  expect(status).toBe(404)
  expect(body.detail).toMatch(/^supersedes\.1: /)
})

test('the ETag changes when the successor is deleted', async () => {
  const user = await newWriter()
  const old = await idOf(user, { content: 'old' })
  const successor = await idOf(user, { content: 'new', supersedes: [old] })
  const before = (await user.get(old)).headers.get('etag')
  await user.send('DELETE', `/v1/memory/items/${successor}`)
  const after = await user.get(old)
  expect(after.body.superseded_by).toBe('gone')
  expect(after.headers.get('etag')).not.toBe(before)
  const ifMatch = { 'If-Match': before ?? '' }
  expect((await user.send('POST', `/v1/memory/items/${old}/restore`, undefined, ifMatch)).status).toBe(200)
})
