/** @module-tag long */
import { describe, expect, test } from 'vitest'
import type { KeyPermission } from '../../../src/core/context.ts'
import { embedAgain } from '../../../src/memory/operations/embed-again.ts'
import { auditOf } from '../../support/audit.ts'
import { travel } from '../../support/clock.ts'
import { newWriter, writerFor, type Writer } from '../../support/memory.ts'
import { ctxOf, sweepUntil } from '../../support/search.ts'
import { addKey, addMember, call, db } from '../../support/world.ts'

const pathOf = (id: string) => `/v1/memory/items/${id}/embed`
const again = (user: Writer, id: string) => user.send('POST', pathOf(id))

/** An item of the user whose embedding has failed. */
async function failedItem(user: Writer, more: Record<string, unknown> = {}): Promise<string> {
  const { body: item } = await user.store({ content: 'try me', wait_ms: 5_000, ...more })
  expect(item.embedding_status).toBe('completed')
  await db.write(
    "update memory_items set embedding_status = 'failed', embedding_error = 'no', attempts = 14 where id = :id",
    { id: item.id },
  )
  return item.id
}

const stateOf = (id: string) =>
  db.first<{ embedding_status: string; attempts: number; version: number }>(
    'select embedding_status, attempts, version from memory_items where id = :id',
    { id },
  )

test('POST …/embed answers 202 and embeds again what failed, without a new version', async () => {
  const user = await newWriter()
  const id = await failedItem(user)
  const { status, body } = await again(user, id)
  expect(status).toBe(202)
  expect(body).toMatchObject({ id, embedding_status: 'pending', embedding_error: null, version: 1 })
  // The sweep sends again what a model that other tests made busy left waiting.
  await sweepUntil(async () =>
    expect(await stateOf(id)).toEqual({ embedding_status: 'completed', attempts: 0, version: 1 }),
  )
})

test('a completed item is embedded again, and its earlier vectors find it until then', async () => {
  const user = await newWriter()
  const { body: item } = await user.store({ content: 'renew me', wait_ms: 5_000 })
  const ctx = ctxOf(user)
  expect(await embedAgain(ctx, { id: item.id })).toMatchObject({ embedding_status: 'pending' })
  const found = await user.send('POST', '/api/memory/search', { query: 'renew', mode: 'semantic' })
  expect(found.body.results.map((result: { id: string }) => result.id)).toEqual([item.id])
})

test('an item that awaits its embedding is left as it is', async () => {
  const user = await newWriter()
  const id = await failedItem(user)
  const stamp = () => db.first('select write_id, next_attempt_at from memory_items where id = :id', { id })
  const first = await embedAgain(ctxOf(user), { id })
  const stamped = await stamp()
  expect(await embedAgain(ctxOf(user), { id })).toEqual(first)
  expect(await stamp()).toEqual(stamped)
})

describe('embedding again needs the right to change the item', () => {
  test('403 for a credential without write:memory', async () => {
    const user = await newWriter()
    const id = await failedItem(user)
    const { secret } = await addKey(user, { scopes: ['read:memory'] })
    const { status, body } = await call('POST', pathOf(id), { key: secret })
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'insufficient_scope' })
    expect(await stateOf(id)).toMatchObject({ embedding_status: 'failed' })
  })

  test('403 for a viewer, for a grant that only reads, and for a key that only reads there', async () => {
    const owner = await newWriter()
    const [viewer, editor] = [
      await writerFor(await addMember(owner, 'viewer')),
      await writerFor(await addMember(owner, 'editor')),
    ]
    const open = await failedItem(owner)
    const permissions = [{ user_id: editor.userId, access: 'read' }]
    const lent = await failedItem(owner, { visibility: 'private', permissions })
    const reads: KeyPermission = { project_id: owner.projectId, access: 'read' }
    const { secret } = await addKey(owner, { permissions: [reads] })
    const answers = [
      await again(viewer, open),
      await again(editor, lent),
      await call('POST', pathOf(open), { key: secret }),
    ]
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(answers.map(() => [403, 'forbidden']))
    expect([await stateOf(open), await stateOf(lent)]).toEqual([
      expect.objectContaining({ embedding_status: 'failed' }),
      expect.objectContaining({ embedding_status: 'failed' }),
    ])
    const writes = { visibility: 'private', permissions: [{ user_id: editor.userId, access: 'write' }] }
    expect((await again(editor, await failedItem(owner, writes))).status).toBe(202)
  })

  test('404, the same for all, for an item that is foreign, hidden, deleted, expired or never was', async () => {
    const [owner, stranger] = [await newWriter(), await newWriter()]
    const editor = await writerFor(await addMember(owner, 'editor'))
    const open = await failedItem(owner)
    const hidden = await failedItem(owner, { visibility: 'private' })
    const brief = await failedItem(owner, { ttl: 60 })
    const gone = await failedItem(owner)
    await owner.send('DELETE', `/v1/memory/items/${gone}`)
    travel(61_000)
    const answers = [
      await again(owner, 'mem_01K8E3Z4T7Q9V6N2M5B8C1D0FG'),
      await again(stranger, open),
      await again(editor, hidden),
      await again(owner, brief),
      await again(owner, gone),
    ]
    const bodies = answers.map(({ body }) => ({ ...body, request_id: '' }))
    expect(bodies.map(({ code }) => code)).toEqual(answers.map(() => 'not_found'))
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
    expect(await stateOf(open)).toMatchObject({ embedding_status: 'failed' })
  })
})

test('the audit row commits with the change', async () => {
  const user = await newWriter()
  const id = await failedItem(user)
  const { headers } = await again(user, id)
  expect(await auditOf(headers.get('x-request-id') ?? '')).toEqual([
    expect.objectContaining({
      actor: user.userId,
      action: 'memory.embed',
      outcome: 'success',
      resource_ids: [id],
      project_id: user.projectId,
    }),
  ])
})
