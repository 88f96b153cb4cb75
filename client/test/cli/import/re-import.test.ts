import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { EXIT } from '../../../src/cli/exit-codes.ts'
import { Failure } from '../../../src/cli/failure.ts'
import { runImport, type ImportRequest } from '../../../src/cli/import/run-import.ts'
import { fakeService, request } from '../support/import-service.ts'
import { testIo } from '../support/io.ts'

const chapter = (n: number) => `# Chapter ${n}\n\n${'words and words. '.repeat(2_500)}\n`
const book = (chapters: number) => Array.from({ length: chapters }, (_, n) => chapter(n + 1)).join('\n')

/** A folder of notes, and a service that keeps what is imported. */
async function setting(before?: Parameters<typeof fakeService>[0]) {
  const { io, home } = testIo()
  const root = join(home, 'notes')
  await mkdir(root)
  const service = fakeService(before)
  return {
    io,
    root,
    service,
    write: (name: string, text: string) => writeFile(join(root, name), text),
    erase: (name: string) => rm(join(root, name)),
    run: (more: Partial<ImportRequest> = {}) =>
      runImport(io, service.target, request(root, { format: 'markdown', ...more })),
    ids: () => [...service.items.keys()].map((key) => key.replace('default ', '')).sort(),
  }
}

test.each([
  [3, 2, ['book.md#1', 'book.md#2'], 1],
  [3, 1, ['book.md'], 3],
  [1, 3, ['book.md#1', 'book.md#2', 'book.md#3'], 1],
  [70, 2, ['book.md#1', 'book.md#2'], 68],
  [2, 2, ['book.md#1', 'book.md#2'], 0],
])('a text of %i chapters that has %i now: parts of the old one are deleted', async (before, after, left, removed) => {
  const { write, run, ids } = await setting()
  await write('book.md', book(before))
  await write('other.md', 'Another note.')
  expect(await run()).toMatchObject({ removed: 0 })
  await write('book.md', book(after))
  expect(await run()).toMatchObject({ removed })
  expect(ids()).toEqual([...left, 'other.md'])
})

test('an item whose id looks like a part, but that the source has, stays', async () => {
  const { io, root, service } = await setting()
  const file = join(root, 'export.json')
  const page = (n: number) => ({ id: n === 1 ? 'page' : `page#${n}`, content: 'Short.' })
  await writeFile(file, JSON.stringify([page(1), page(2), { id: 'long', content: book(2) }]))
  const run = () => runImport(io, service.target, request(file, { format: 'supermemory' }))
  await run()
  expect(await run()).toMatchObject({ removed: 0 })
  expect(service.items.size).toBe(4)
})

test('where a line fails, nothing of its source is deleted', async () => {
  const { write, run, ids } = await setting()
  await write('book.md', book(3))
  await run()
  await write('book.md', 'bad')
  expect(await run()).toMatchObject({ failed: 1, removed: 0 })
  expect(ids()).toEqual(['book.md#1', 'book.md#2', 'book.md#3'])
})

test('a credential that cannot read imports all the same, and says what it did not do', async () => {
  const { write, run, service } = await setting()
  service.target.hasItem = () => Promise.reject(new Failure(EXIT.forbidden, 'No.', { code: 'insufficient_scope' }))
  await write('a.md', 'A note.')
  expect(await run()).toMatchObject({
    created: 1,
    notes: [{ note: expect.stringContaining('does not have read:memory') }],
  })
})

test('tags and a date that were removed from a note are cleared', async () => {
  const { write, run, service } = await setting()
  await write('a.md', '---\ntags: [tea]\ndate: 2024-05-01\n---\nA note.')
  await run()
  expect(service.items.get('default a.md')).toMatchObject({ tags: ['tea'], occurred_at: '2024-05-01T00:00:00.000Z' })
  await write('a.md', 'A note.')
  await run()
  expect(service.items.get('default a.md')).toMatchObject({ tags: [], occurred_at: null })
})

test('--prune deletes the items of files that are gone, and those alone', async () => {
  const { io, root, service, write, erase, run, ids } = await setting()
  const other = join(root, '..', 'other')
  await mkdir(other)
  await writeFile(join(other, 'elsewhere.md'), 'Of another folder.')
  await runImport(io, service.target, request(other, { format: 'markdown' }))
  await service.target.importLines('{"content": {"text": "By hand."}, "custom_id": "hand"}\n', { idempotencyKey: 'k' })
  for (const name of ['a.md', 'b.md', 'c.md', 'd.md']) await write(name, name === 'b.md' ? book(2) : 'A note.')
  await run()
  await erase('a.md')
  await erase('b.md')
  // It is there, and cannot be read.
  await writeFile(join(root, 'c.md'), Buffer.from('caf\xe9', 'latin1'))
  expect(await run()).toMatchObject({ pruned: 0 })
  expect(await run({ prune: true })).toMatchObject({ pruned: 3 })
  expect(ids()).toEqual(['c.md', 'd.md', 'elsewhere.md', 'hand'])
})

test('--prune keeps the item of a file whose name the service has in another Unicode form', async () => {
  const { service, write, erase, run } = await setting()
  const name = 'r\u00E9sum\u00E9.md'
  await write(name, 'A note.')
  await write('b.md', 'A note.')
  await run()
  const item = service.items.get(`default ${name}`)
  if (!item) throw new Error('it was imported')
  const { content } = item
  service.items.set(`default ${name}`, {
    ...item,
    content: { ...content, metadata: { ...content.metadata, path: name.normalize('NFD') } },
  })
  await erase('b.md')
  expect(await run({ prune: true })).toMatchObject({ pruned: 1 })
  expect(service.items.has(`default ${name}`)).toBe(true)
})

test('--prune of a folder that is empty, or of a single file, is refused', async () => {
  const { io, root, service, write, erase, run, ids } = await setting()
  await write('a.md', 'A note.')
  await run()
  await expect(
    runImport(io, service.target, request(join(root, 'a.md'), { format: 'markdown', prune: true })),
  ).rejects.toThrow('--prune needs a folder')
  await erase('a.md')
  await expect(run({ prune: true })).rejects.toThrow('would delete all its items')
  expect(ids()).toEqual(['a.md'])
})

test('a folder that is reached by another path is the same folder', async () => {
  const { io, root, service, write, erase, run, ids } = await setting()
  await write('a.md', 'A note.')
  await write('b.md', 'A note.')
  await run()
  await erase('a.md')
  await symlink(root, join(root, '..', 'link'))
  const link = request(join(root, '..', 'link'), { format: 'markdown', prune: true })
  expect(await runImport(io, service.target, link)).toMatchObject({ pruned: 1 })
  expect(ids()).toEqual(['b.md'])
})
