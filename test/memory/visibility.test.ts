/** @module-tag shards */
import { expect, test } from 'vitest'
import { newWriter, writerFor, type Writer } from '../support/memory.ts'
import { addMember } from '../support/world.ts'

const statuses = async (id: string, ...users: Writer[]) =>
  Promise.all(users.map(async (user) => (await user.get(id)).status))
const patches = async (id: string, ...users: Writer[]) =>
  Promise.all(users.map(async (user) => (await user.send('PATCH', `/v1/memory/items/${id}`, { tags: ['x'] })).status))

async function team() {
  const owner = await newWriter()
  const [admin, author, editor, viewer, outsider] = await Promise.all(
    (['admin', 'editor', 'editor', 'viewer', null] as const).map(async (role) =>
      writerFor(await addMember(owner, role)),
    ),
  )
  if (!admin || !author || !editor || !viewer || !outsider) throw new Error('five members')
  return { owner, admin, author, editor, viewer, outsider }
}

test("a private item is its creator's and the admins'; others get the 404 of an id that never existed", async () => {
  const { owner, admin, author, editor, viewer, outsider } = await team()
  const { body: item } = await author.store({ content: 'secret', visibility: 'private' })
  expect(item.permissions).toEqual([])
  expect(await statuses(item.id, owner, admin, author, editor, viewer, outsider)).toEqual([
    200, 200, 200, 404, 404, 404,
  ])
  expect(await patches(item.id, owner, admin, author, editor, viewer, outsider)).toEqual([200, 200, 200, 404, 404, 404])
  const hidden = await editor.get(item.id)
  const absent = await editor.get('mem_01K8E3Z4T7Q9V6N2M5B8C1D0FG')
  expect({ ...hidden.body, request_id: '' }).toEqual({ ...absent.body, request_id: '' })
})

test('permissions open a private item to members, a write grant never lends a role', async () => {
  const { author, editor, viewer, outsider } = await team()
  const permissions = [
    { user_id: editor.userId, access: 'read' },
    { user_id: viewer.userId, access: 'write' },
  ]
  const { body: item } = await author.store({ content: 'shared', visibility: 'private', permissions })
  expect(item.permissions).toEqual(permissions)
  expect(await statuses(item.id, editor, viewer, outsider)).toEqual([200, 200, 404])
  expect(await patches(item.id, editor, viewer)).toEqual([403, 403])
  const { body: changed } = await author.send('PATCH', `/v1/memory/items/${item.id}`, {
    permissions: [{ user_id: editor.userId, access: 'write' }],
  })
  expect(changed.permissions).toEqual([{ user_id: editor.userId, access: 'write' }])
  expect(await statuses(item.id, editor, viewer)).toEqual([200, 404])
  expect(await patches(item.id, editor)).toEqual([200])
})

test('only creator and admins decide who reaches an item, and only members of the project can be named', async () => {
  const { admin, author, editor, outsider } = await team()
  const { body: item } = await author.store({
    content: 'shared',
    visibility: 'private',
    permissions: [{ user_id: editor.userId, access: 'write' }],
  })
  const open = (user: Writer) => user.send('PATCH', `/v1/memory/items/${item.id}`, { visibility: 'project' })
  expect((await open(editor)).status).toBe(403)
  const name = (user_id: string) =>
    author.send('PATCH', `/v1/memory/items/${item.id}`, { permissions: [{ user_id, access: 'read' }] })
  expect((await name(outsider.userId)).body.errors?.[0]).toMatchObject({ path: 'permissions.0.user_id' })
  expect((await name('usr_none')).status).toBe(422)
  const opened = await open(admin)
  expect(opened.body.visibility).toBe('project')
  expect(opened.body.permissions).toBeUndefined()
  const store = await author.store({ content: 'x', permissions: [{ user_id: editor.userId, access: 'read' }] })
  expect(store.body.errors?.[0]).toMatchObject({ path: 'permissions', code: 'not_private' })
})

test('a custom_id that a hidden item holds is taken: 409 custom_id_taken', async () => {
  const { author, editor } = await team()
  await author.store({ content: 'secret', visibility: 'private', custom_id: 'c' })
  const { status, body } = await editor.store({ content: 'mine', custom_id: 'c' })
  expect({ status, code: body.code }).toEqual({ status: 409, code: 'custom_id_taken' })
})

test('deduplicate looks only among items that the caller may read', async () => {
  const { author, editor } = await team()
  await author.store({ content: 'the same', visibility: 'private' })
  const mine = await editor.store({ content: 'the same', deduplicate: true })
  expect({ status: mine.status, deduplicated: mine.body.deduplicated }).toEqual({
    status: 201,
    deduplicated: undefined,
  })
})
