/** @module-tag shards */
import { expect, test } from 'vitest'
import { counted } from '../../support/counted.ts'
import { atTime, inOneInstant, travel } from '../../support/clock.ts'
import { newWriter, writerFor, type Writer } from '../../support/memory.ts'
import { auditOf } from '../../support/audit.ts'
import { githubToken } from '../../support/secrets/secrets.ts'
import { Seeded } from '../../support/secrets/random.ts'
import { until } from '../../support/until.ts'
import { addKey, addMember, call, db, newTenant } from '../../support/world.ts'

type Sent = string | { role?: string; content?: unknown; id?: string; name?: string; timestamp?: string | null }
/** A text alone is of the user. */
const message = (one: Sent) =>
  typeof one === 'string' ? { role: 'user', content: one } : { role: 'user', content: 'hi', ...one }
const post = (user: Writer, messages: readonly Sent[], more: object = {}, headers: Record<string, string> = {}) =>
  user.send('POST', '/v1/memory/ingest', { conversation_id: 'c', messages: messages.map(message), ...more }, headers)
const statuses = ({ body }: { body: any }): string[] =>
  body.messages.map(({ status, reason }: any) => (reason ? `${status}: ${reason}` : status))
const turns = async (user: Writer, query = '') => {
  const { body } = await user.send('GET', `/v1/memory/items?conversation_id=c&sort=occurred_at&limit=100${query}`)
  return body.data
}
const texts = async (user: Writer): Promise<string[]> => (await turns(user)).map(({ content }: any) => content.text)

test('contract §3: messages become turns of one conversation, in order', async () => {
  const user = await newWriter()
  const answer = await post(
    user,
    ['one', { role: 'assistant', name: 'Bo', content: 'two' }, { id: 'm3', content: 'three' }],
    {
      context: { subject: 'Ada', document_id: 'd' },
      tags: ['chat'],
      ttl: 3_600,
      visibility: 'private',
    },
  )
  expect(answer).toMatchObject({ status: 200, body: { conversation_id: 'c' } })
  expect(statuses(answer)).toEqual(['created', 'created', 'created'])
  expect(answer.body.messages.map(({ message_id }: any) => message_id)).toEqual([undefined, undefined, 'm3'])
  const stored = await turns(user)
  expect(stored.map(({ id }: any) => [id])).toEqual(answer.body.messages.map(({ ids }: any) => ids))
  expect(stored[1]).toMatchObject({
    content: { text: 'two' },
    context: { scope: 'conversation', conversation_id: 'c', document_id: 'd', subject: 'Ada' },
    kind: 'turn',
    role: 'assistant',
    speaker: 'Bo',
    tags: ['chat'],
    ttl: 3_600,
    visibility: 'private',
    custom_id: null,
  })
  expect(stored.map(({ role, speaker }: any) => [role, speaker])).toEqual([
    ['user', null],
    ['assistant', 'Bo'],
    ['user', null],
  ])
})

test('a message without a time comes behind what the conversation has, at its own place', async () => {
  const user = await newWriter()
  await inOneInstant(async () => {
    await post(user, ['one', 'two'])
    await post(user, ['three'])
  })
  expect(await texts(user)).toEqual(['one', 'two', 'three'])
  const [one, two, three] = (await turns(user)).map(({ occurred_at }: any) => Date.parse(occurred_at))
  expect([two - one, three - two]).toEqual([1, 1])
  await post(user, [{ content: 'later', timestamp: '2090-01-01T00:00:00Z' }, 'behind it'])
  await post(user, ['last'])
  expect((await texts(user)).slice(3)).toEqual(['later', 'behind it', 'last'])
})

test('the end of time has room for messages too', async () => {
  const user = await newWriter()
  await post(user, [{ content: 'end', timestamp: '9999-12-31T23:59:59.999Z' }])
  expect(statuses(await post(user, ['yes']))).toEqual(['created'])
  expect(statuses(await post(user, ['yes']))).toEqual(['created'])
  expect(await texts(user)).toEqual(['end', 'yes', 'yes'])
})

test('sent twice: an id and a time know a message again, and append stores any other', async () => {
  const user = await newWriter()
  const messages = [
    { id: 'm1', content: 'one' },
    { content: 'two', timestamp: '2026-05-01T10:00:00Z' },
    { content: 'two', timestamp: '2026-05-01T10:00:01Z' },
    'yes',
  ]
  const first = await post(user, messages)
  expect(statuses(first)).toEqual(['created', 'created', 'created', 'created'])
  for (let n = 0; n < 2; n++) {
    const again = await post(user, messages)
    expect(statuses(again)).toEqual(['unchanged', 'unchanged', 'unchanged', 'created'])
    expect(again.body.messages.slice(0, 3)).toMatchObject(
      first.body.messages.slice(0, 3).map(({ ids }: any) => ({ ids })),
    )
  }
  expect(statuses(await post(user, messages, { context: { namespace: 'n' } }))).not.toContain('unchanged')
})

test('other content under an id is a new version, and a new name alone embeds nothing', async () => {
  const user = await newWriter()
  const ids = (await post(user, [{ id: 'm', content: 'one' }], { tags: ['a'], ttl: 60 })).body.messages[0].ids
  const changed = await post(user, [{ id: 'm', content: 'two', timestamp: '2020-01-01T00:00:00Z' }], {
    tags: ['b'],
    context: { subject: 'Bo' },
  })
  expect(changed.body.messages[0]).toEqual({ ids, message_id: 'm', status: 'updated' })
  const { body: two } = await user.get(ids[0])
  expect(two).toMatchObject({ content: { text: 'two' }, version: 2, tags: ['a'], ttl: 60 })
  expect(two.context.subject).toBeUndefined()
  const vectors = () =>
    db.first<{ n: number }>('select vector_version as n from memory_items where id = :id', { id: ids[0] })
  const before = await vectors()
  expect(statuses(await post(user, [{ id: 'm', content: 'two', name: 'Ada' }]))).toEqual(['updated'])
  expect(await vectors()).toEqual(before)
  expect((await user.get(ids[0])).body).toMatchObject({ speaker: 'Ada', version: 3 })
  expect(
    statuses(
      await post(user, [
        { id: 'm', content: 'x' },
        { id: 'm', content: 'y' },
      ]),
    ),
  ).toEqual(['updated', 'updated'])
  expect((await user.get(ids[0])).body.content.text).toBe('y')
})

test('a deleted message is stored again, a retired one stays retired unless its text is another', async () => {
  const user = await newWriter()
  const first = await post(user, [
    { id: 'm', content: 'one' },
    { id: 'n', content: 'two' },
  ])
  const [one, two] = first.body.messages.map(({ ids }: any) => ids[0])
  await user.send('DELETE', `/v1/memory/items/${one}`)
  await user.send('POST', `/v1/memory/items/${two}/retire`, {})
  const again = await post(user, [
    { id: 'm', content: 'one' },
    { id: 'n', content: 'two' },
  ])
  expect(statuses(again)).toEqual(['created', 'retired'])
  expect(again.body.messages[0].ids).not.toEqual([one])
  expect(statuses(await post(user, [{ id: 'n', content: 'three' }]))).toEqual(['updated'])
  expect((await user.get(two)).body).toMatchObject({ status: 'current', content: { text: 'three' } })
})

test('an expired message gives its id to the one that comes again', async () => {
  const user = await newWriter()
  await post(user, [{ id: 'm', content: 'one' }], { ttl: 60 })
  await atTime(61_000, async () => {
    expect(statuses(await post(user, [{ id: 'm', content: 'one' }]))).toEqual(['created'])
    expect(await texts(user)).toEqual(['one'])
  })
})

test('roles decide about system and tool, and what brings no text is named', async () => {
  const user = await newWriter()
  const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }
  const messages = [
    { role: 'system', content: 'be kind' },
    { role: 'tool', content: '42' },
    {
      content: [
        { type: 'text', text: 'look' },
        image,
        { type: 'input_text', text: 'here' },
        { type: 'text', text: ' ' },
      ],
    },
    { id: 'i', content: [image] },
    { content: '' },
  ]
  const { body } = await post(user, messages)
  expect(statuses({ body })).toEqual([
    'skipped: role',
    'skipped: role',
    'created',
    'skipped: no_text',
    'skipped: no_text',
  ])
  expect(body.messages[2].left_out).toEqual([
    { part: 1, type: 'image_url', reason: 'other_type' },
    { part: 3, type: 'text', reason: 'no_text' },
  ])
  expect(body.messages[3]).toMatchObject({ ids: [], message_id: 'i', left_out: [{ part: 0, type: 'image_url' }] })
  expect(await texts(user)).toEqual(['look\nhere'])
  expect(statuses(await post(user, messages.slice(0, 2), { roles: ['tool'] }))).toEqual(['skipped: role', 'created'])
})

test('a long text becomes parts, and a shorter one gives them up', async () => {
  const user = await newWriter()
  const long = 'A sentence of the talk. '.repeat(6_000).trim()
  const { body } = await post(user, [{ id: 'm', content: long }, 'after'])
  expect(body.messages[0]).toMatchObject({ status: 'created', message_id: 'm' })
  const parts = await turns(user)
  expect(body.messages[0].ids).toHaveLength(3)
  expect(parts.map(({ id }: any) => id)).toEqual([...body.messages[0].ids, ...body.messages[1].ids])
  expect(
    parts
      .slice(0, 3)
      .map(({ content }: any) => content.text)
      .join(''),
  ).toBe(long)
  expect(parts[0].content.text).toMatch(/[.] $/)
  expect(statuses(await post(user, [{ id: 'm', content: long }]))).toEqual(['unchanged'])
  const shorter = await post(user, [{ id: 'm', content: 'short' }])
  expect(shorter.body.messages[0]).toEqual({ ids: [body.messages[0].ids[0]], message_id: 'm', status: 'updated' })
  expect(await texts(user)).toEqual(['short', 'after'])
  expect(statuses(await post(user, [{ id: 'm', content: long }]))).toEqual(['updated'])
  const stored = await texts(user)
  expect([stored.slice(0, 3).join('') === long, stored.slice(3)]).toEqual([true, ['after']])
})

test('a message gives up more parts than two commits hold and leaves the next one alone', async () => {
  const user = await newWriter()
  const lines = Array.from({ length: 110 }, (_, part) => ({
    content: `part ${part}`,
    context: { conversation_id: 'c' },
    occurred_at: '2026-05-01T10:00:00Z',
    turn: { role: 'user', message_id: 'm', part },
  }))
  const raw = lines.map((line) => JSON.stringify(line)).join('\n')
  const headers = { ...user.headers, 'Content-Type': 'application/x-ndjson' }
  expect((await call('POST', '/v1/memory/import', { headers, raw })).body).toMatchObject({ created: 110 })
  const answer = await post(user, [{ id: 'm', content: 'short' }, 'after'])
  expect(statuses(answer)).toEqual(['updated', 'created'])
  expect(await texts(user)).toEqual(['short', 'after'])
})

test('past what one commit holds, it commits in slices and in order', async () => {
  const user = await newWriter()
  const messages = Array.from({ length: 60 }, (_, n) => ({ id: `m${n}`, content: `${n} ${'word '.repeat(700)}` }))
  const { body } = await post(user, messages)
  expect(new Set(statuses({ body }))).toEqual(new Set(['created']))
  expect((await texts(user)).map((text) => Number.parseInt(text, 10))).toEqual(messages.map((_, n) => n))
  const stamps = await db.all('select distinct write_id from memory_items where project_id = :project', {
    project: user.projectId,
  })
  expect(stamps.length).toBeGreaterThan(3)
})

test('under an idempotency key a retry answers the same and stores nothing', async () => {
  const user = await newWriter()
  const key = { 'Idempotency-Key': 'once' }
  const first = await post(user, ['yes', 'yes'], {}, key)
  const again = await post(user, ['yes', 'yes'], {}, key)
  expect(again.body).toEqual(first.body)
  expect(again.headers.get('Idempotent-Replayed')).toBe('true')
  expect(await texts(user)).toEqual(['yes', 'yes'])
  expect((await post(user, ['no'], {}, key)).body.code).toBe('idempotency_mismatch')
})

test('input that is wrong is named', async () => {
  const user = await newWriter()
  const refused = async (body: object) => {
    travel(1_000)
    const answer = await user.send('POST', '/v1/memory/ingest', {
      conversation_id: 'c',
      messages: [message('x')],
      ...body,
    })
    expect(answer.status).toBe(422)
    return answer.body.errors[0].path
  }
  const paths: string[] = []
  for (const body of [
    { messages: [] },
    { messages: Array.from({ length: 101 }, () => message('x')) },
    { messages: [{ role: 'bot', content: 'x' }] },
    { messages: [{ ...message('x'), id: '' }] },
    { messages: [{ ...message('x'), timestamp: 'yesterday' }] },
    { messages: [{ ...message('x'), unknown: 1 }] },
    { conversation_id: '' },
    { conversation_id: '.' },
    { conversation_id: '..' },
    { context: { conversation_id: 'd' } },
    { mode: 'replace' },
    { roles: [] },
    { permissions: [{ user_id: 'usr_x', access: 'read' }] },
  ])
    paths.push(await refused(body))
  expect(paths).toEqual([
    'messages',
    'messages',
    'messages.0.role',
    'messages.0.id',
    'messages.0.timestamp',
    'messages.0.unknown',
    'conversation_id',
    'conversation_id',
    'conversation_id',
    'context.conversation_id',
    'mode',
    'roles',
    'permissions',
  ])
  expect(await texts(user)).toEqual([])
})

test('who may not write the place is refused before anything is looked at', async () => {
  const owner = await newWriter()
  const viewer = await writerFor(await addMember(owner, 'viewer'))
  const stranger = await newWriter()
  const into = { context: { project_id: owner.projectId } }
  expect((await post(viewer, [{ role: 'system', content: 'x' }], into)).status).toBe(403)
  expect((await post(stranger, [{ role: 'system', content: 'x' }], into)).status).toBe(404)
  const bound = await addKey(owner, {
    permissions: [{ project_id: owner.projectId, access: 'write', namespaces: ['a'] }],
  })
  const send = (namespace: string) =>
    call('POST', '/v1/memory/ingest', {
      key: bound.secret,
      body: { conversation_id: 'c', messages: [message('x')], context: { namespace, project_id: owner.projectId } },
    })
  expect([(await send('a')).status, (await send('b')).status]).toEqual([200, 404])
  const reader = await addKey(owner, { permissions: [{ project_id: owner.projectId, access: 'read' }] })
  const refused = await call('POST', '/v1/memory/ingest', {
    key: reader.secret,
    body: { conversation_id: 'c', messages: [message('x')] },
  })
  expect(refused.status).toBe(403)
})

test('history needs read:memory too', async () => {
  const tenant = await newTenant({ scopes: ['write:memory'] })
  const send = (mode: string) =>
    call('POST', '/v1/memory/ingest', {
      key: tenant.key,
      body: { conversation_id: 'c', messages: [message('x')], mode },
    })
  expect([(await send('append')).status, (await send('history')).status]).toEqual([200, 403])
})

test('a turn of somebody else is neither matched nor shown; only its id is taken', async () => {
  const owner = await newWriter()
  const other = await writerFor(await addMember(owner, 'editor'))
  const into = { context: { project_id: owner.projectId } }
  const timed = { content: 'same', timestamp: '2026-05-01T10:00:00Z' }
  await post(owner, [{ id: 'm', content: 'mine' }, timed, 'plain'], { visibility: 'private' })
  const taken = await post(other, ['before', { id: 'm', content: 'mine' }], into)
  expect(taken).toMatchObject({ status: 409, body: { code: 'custom_id_taken' } })
  expect(await texts(other)).toEqual([])
  const stored = await post(other, [timed, 'plain'], { ...into, mode: 'history' })
  expect(statuses(stored)).toEqual(['created', 'created'])
  expect(statuses(await post(other, [timed, 'plain'], { ...into, mode: 'history' }))).toEqual([
    'unchanged',
    'unchanged',
  ])
  const readable = await post(owner, [{ id: 'r', content: 'shared' }])
  expect(statuses(readable)).toEqual(['created'])
})

test('contract §3: a message without a time comes behind a turn that the caller cannot read', async () => {
  const owner = await newWriter()
  const other = await writerFor(await addMember(owner, 'editor'))
  const later = new Date(Date.now() + 86_400_000 * 365).toISOString()
  await post(owner, [{ content: 'hidden', timestamp: later }], { visibility: 'private' })
  const { body } = await post(other, ['mine'], { context: { project_id: owner.projectId } })
  const { body: mine } = await other.get(body.messages[0].ids[0])
  expect(Date.parse(mine.occurred_at)).toBeGreaterThan(Date.parse(later))
})

test('contract §3: an ingest publishes nothing on the channel conversation', async () => {
  const user = await newWriter()
  await post(user, ['one', { role: 'assistant', content: 'two' }])
  const events = await db.all<{ channel: string; type: string }>(
    'select distinct channel, type from events where tenant_id = :tenant',
    { tenant: user.tenantId },
  )
  expect(events).toEqual([{ channel: 'memory', type: 'memory.created' }])
})

test('a message that the caller may read but not change is 409 with other content', async () => {
  const owner = await newWriter()
  const other = await writerFor(await addMember(owner, 'editor'))
  const permissions = [{ user_id: other.userId, access: 'read' }]
  await post(owner, [{ id: 'm', content: 'mine' }], { visibility: 'private', permissions })
  const into = { context: { project_id: owner.projectId } }
  expect(statuses(await post(other, [{ id: 'm', content: 'mine' }], into))).toEqual(['unchanged'])
  expect((await post(other, [{ id: 'm', content: 'changed' }], into)).body.code).toBe('custom_id_taken')
})

test('secrets are redacted before anything is known of the text, and names are refused', async () => {
  const user = await newWriter()
  const { secret } = await addKey(user)
  const messages = [{ id: 'm', content: `key ${secret} end` }]
  const { body } = await post(user, ['hello', ...messages])
  expect(body.warnings).toMatchObject([{ path: 'messages.1.content', code: 'secret_redacted', start: 4 }])
  expect((await texts(user))[1]).toMatch(/^key \[secret: .*\] end$/)
  expect(statuses(await post(user, messages))).toEqual(['unchanged'])
  const places = async (sent: readonly Sent[], more: object = {}) => {
    const answer = await post(user, sent, more)
    expect(answer.status).toBe(422)
    return answer.body.errors.map(({ path, code }: any) => `${path} ${code}`)
  }
  expect(await places(['a', { id: secret }, { name: secret }])).toEqual([
    'messages.1.id secret_found',
    'messages.2.name secret_found',
  ])
  expect(await places(['a'], { conversation_id: secret })).toEqual(['conversation_id secret_found'])
  expect(await places(['a'], { context: { subject: secret } })).toEqual(['context.subject secret_found'])
  travel(1_000)
  const tagged = await post(user, ['b'], { tags: [githubToken(new Seeded(21))] })
  expect(tagged.body.warnings).toMatchObject([{ path: 'tags.0', code: 'secret_redacted' }])
})

test('what is skipped is not looked through, and the places of the others stay', async () => {
  const user = await newWriter()
  const { secret } = await addKey(user)
  const skipped = { role: 'tool', id: secret, name: secret, content: `key ${secret}` }
  const { status, body } = await post(user, [skipped, { id: secret, content: '' }, `key ${secret} end`])
  expect(status).toBe(200)
  expect(statuses({ body })).toEqual(['skipped: role', 'skipped: no_text', 'created'])
  expect(body.warnings).toMatchObject([{ path: 'messages.2.content', code: 'secret_redacted' }])
  expect(body.warnings).toHaveLength(1)
  const stored = await post(user, [skipped], { roles: ['tool'] })
  expect(stored.body.errors).toMatchObject([{ path: 'messages.0.id' }, { path: 'messages.0.name' }])
})

test('each 20 messages take a permit of memory.ingest', async () => {
  const tenant = await newTenant()
  travel(0)
  const send = (count: number) =>
    call('POST', '/v1/memory/ingest', {
      key: tenant.key,
      body: { conversation_id: 'c', messages: Array.from({ length: count }, (_, n) => message(`${n}`)) },
    })
  const first = await send(81)
  expect(first.status).toBe(200)
  expect(first.headers.get('RateLimit-Policy')).toContain('memory.ingest')
  const refused = await send(1)
  expect({ status: refused.status, detail: refused.body['detail'] }).toMatchObject({ status: 429 })
})

test('audit: each item that is written has a row, and an ingest that writes nothing has its own', async () => {
  const user = await newWriter()
  const stored = await post(user, [{ id: 'm', content: 'one' }])
  const same = await post(user, [{ id: 'm', content: 'one' }])
  const { ids } = stored.body.messages[0]
  const actionsOf = async ({ headers }: { headers: Headers }) =>
    (await auditOf(headers.get('X-Request-Id') ?? '')).map(({ action, resource_ids }) => [action, resource_ids])
  expect(await actionsOf(stored)).toEqual([['memory.store', ids]])
  await until(async () => expect(await actionsOf(same)).toEqual([['memory.ingest', ids]]))
})

test('a usual ingest is two round trips to the database, one more where a message may be stored', async () => {
  const user = await newWriter()
  const send = (messages: readonly Sent[]) =>
    counted('POST', '/v1/memory/ingest', {
      headers: user.headers,
      body: { conversation_id: 'c', messages: messages.map(message) },
    })
  await send(['warm'])
  expect((await send(['one', { id: 'm', content: 'two' }])).asked.d1).toBe(2)
  expect((await send([{ id: 'm', content: 'two' }])).asked.d1).toBe(2)
})
