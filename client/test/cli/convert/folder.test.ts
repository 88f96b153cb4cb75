import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { fromFolder, type FolderFormat } from '../../../src/cli/convert/folder.ts'
import { split } from '../../../src/cli/convert/split.ts'
import { testIo } from '../support/io.ts'

async function folderOf(files: Record<string, string | Uint8Array>): Promise<string> {
  const root = join(testIo().home, 'notes')
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true })
    await writeFile(join(root, name), text)
  }
  return root
}

async function read(path: string, format: FolderFormat, numbersAsText = false) {
  const found = []
  for await (const one of fromFolder(path, format, numbersAsText))
    found.push('line' in one ? JSON.parse(one.line) : [one.from, one.skipped])
  return found
}

test('each file is an item under its path; other endings, hidden files and links are left out', async () => {
  const root = await folderOf({
    'b.md': '# B\n\nText of B.\n',
    'a/c.MD': 'Text of C.',
    'a/d.txt': 'no Markdown',
    '.obsidian/app.md': 'hidden',
    'node_modules/x/readme.md': 'of others',
    '.hidden.md': 'hidden',
  })
  await symlink(root, join(root, 'loop'))
  await symlink('/etc/hostname', join(root, 'outside.md'))
  expect(await read(root, 'markdown')).toEqual([
    { content: { text: 'Text of C.', type: 'text/markdown', metadata: { path: 'a/c.MD' } }, custom_id: 'a/c.MD' },
    { content: { text: '# B\n\nText of B.', type: 'text/markdown', metadata: { path: 'b.md' } }, custom_id: 'b.md' },
  ])
  expect(await read(root, 'text')).toEqual([
    { content: { text: 'no Markdown', type: 'text/plain', metadata: { path: 'a/d.txt' } }, custom_id: 'a/d.txt' },
  ])
  expect(await read(join(root, 'b.md'), 'markdown')).toMatchObject([{ custom_id: 'b.md' }])
})

test('front matter becomes tags, the date and metadata', async () => {
  const root = await folderOf({
    'a.md': '---\ntitle: Tea\ntags: [drinks, "#hot"]\ndate: 2025-04-03\nrating: 4\n---\n# Tea\n',
    'b.md': '---\ntags: drinks, cold\n---\nText',
    'c.md': '---\nnot: [closed\n---\nText',
    'd.md': '---\na: &a [1]\nb: [*a, *a, *a]\n---\nText',
  })
  const [a, b, c, d] = await read(root, 'markdown')
  expect(a).toEqual({
    content: { text: '# Tea', type: 'text/markdown', metadata: { title: 'Tea', rating: 4, path: 'a.md' } },
    custom_id: 'a.md',
    tags: ['drinks', 'hot'],
    occurred_at: '2025-04-03T00:00:00.000Z',
  })
  expect(b.tags).toEqual(['drinks', 'cold'])
  // What cannot be read, and what would grow, stays text.
  expect(c.content.text).toBe('---\nnot: [closed\n---\nText')
  expect(d.content.text).toContain('&a [1]')
})

test('empty files and files that are no text are named', async () => {
  const root = await folderOf({
    'a.txt': ' \n',
    'b.txt': new Uint8Array([0xff, 0xfe, 0x00]),
    'c.txt': 'a\0b',
    'd.txt': 'ä',
  })
  expect(await read(root, 'text')).toMatchObject([
    ['a.txt', 'it is empty'],
    ['b.txt', 'it is not UTF-8 text'],
    ['c.txt', 'it is not UTF-8 text'],
    { content: { text: 'ä' } },
  ])
})

test('a long file becomes several items, cut before headings', async () => {
  const chapter = (n: number) => `# Chapter ${n}\n\n${'words and words. '.repeat(2_500)}`
  const root = await folderOf({ 'book.md': [chapter(1), chapter(2), chapter(3)].join('\n') })
  const items = await read(root, 'markdown')
  expect(items.map(({ custom_id }) => custom_id)).toEqual(['book.md#1', 'book.md#2', 'book.md#3'])
  expect(items.map(({ content }) => content.text.slice(0, 11))).toEqual(['# Chapter 1', '# Chapter 2', '# Chapter 3'])
  expect(items[0].content.metadata).toEqual({ path: 'book.md', part: 1, parts: 3 })
})

test('a text without a place to cut is cut at the bound, between characters', () => {
  const pieces = split('😀'.repeat(25), 10)
  expect(pieces).toEqual(['😀'.repeat(10), '😀'.repeat(10), '😀'.repeat(5)])
  expect(split('one two three four', 9)).toEqual(['one two', 'three', 'four'])
})
