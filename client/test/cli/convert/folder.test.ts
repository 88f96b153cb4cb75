import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { FolderFormat } from '../../../src/cli/convert/folder.ts'
import { measure } from '../../../src/cli/convert/measure.ts'
import { openSource } from '../../../src/cli/convert/source.ts'
import { split } from '../../../src/cli/convert/split.ts'
import { NOW, testIo } from '../support/io.ts'
import { unprivileged } from '../support/unprivileged.ts'

async function folderOf(files: Record<string, string | Uint8Array>): Promise<string> {
  const root = join(testIo().home, 'notes')
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true })
    await writeFile(join(root, name), text)
  }
  return root
}

const sourceOf = (path: string, format: FolderFormat) =>
  openSource(testIo().io, path, { format, numbersAsText: false }, NOW)

/** The items of a folder without its mark, and what cannot be read. */
async function read(path: string, format: FolderFormat) {
  const found = []
  for await (const one of (await sourceOf(path, format)).records()) {
    if ('reason' in one) {
      if (one.kind !== 'outside') found.push([one.from, one.reason])
      continue
    }
    const { content, ...item } = JSON.parse(one.line)
    const { imported_from, ...metadata } = content.metadata
    expect(imported_from).toMatch(/^folder:[0-9a-f]{16}$/)
    found.push({ content: { ...content, metadata }, ...item })
  }
  return found
}

/** What an import of Markdown without front matter sets, so that it clears what an earlier one has set. */
const CLEARED = { tags: [], occurred_at: null }

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
    {
      content: { text: 'Text of C.', type: 'text/markdown', metadata: { path: 'a/c.MD' } },
      custom_id: 'a/c.MD',
      ...CLEARED,
    },
    {
      content: { text: '# B\n\nText of B.', type: 'text/markdown', metadata: { path: 'b.md' } },
      custom_id: 'b.md',
      ...CLEARED,
    },
  ])
  expect(await read(root, 'text')).toEqual([
    { content: { text: 'no Markdown', type: 'text/plain', metadata: { path: 'a/d.txt' } }, custom_id: 'a/d.txt' },
  ])
  expect(await read(join(root, 'b.md'), 'markdown')).toMatchObject([{ custom_id: 'b.md' }])
})

test('front matter becomes tags, the date and metadata; what cannot be read stays in the text, and the file is named', async () => {
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
  const { notes } = await measure(await sourceOf(root, 'markdown'))
  expect(notes.map(({ from }) => from)).toEqual(['c.md', 'd.md'])
  expect(notes[0]?.note).toMatch(/^its front matter cannot be read, and stays in the text: .* at line 2, column 13$/)
})

test('files that are no text, cannot be read or are empty are named with the reason', async () => {
  const root = await folderOf({
    'a.txt': ' \n',
    'b.txt': new Uint8Array([0xff, 0xfe, 0x00]),
    'c.txt': 'a\0b',
    'd.txt': 'ä',
    'e.txt': Buffer.from('caf\xe9', 'latin1'),
  })
  expect(await read(root, 'text')).toMatchObject([
    ['a.txt', 'it is empty'],
    ['b.txt', 'it is not UTF-8 text'],
    ['c.txt', 'it is not UTF-8 text: it contains a NUL character'],
    { content: { text: 'ä' } },
    ['e.txt', 'it is not UTF-8 text'],
  ])
  const front = await folderOf({ 'a.md': '---\ntitle: Template\n---\n' })
  expect(await read(front, 'markdown')).toEqual([['a.md', 'it has front matter and no text']])
})

test('a file and a folder without permission are named, and the others are read', async () => {
  const root = await folderOf({ 'a.txt': 'a', 'b.txt': 'b', 'c/d.txt': 'd' })
  await chmod(dirname(root), 0o755)
  await chmod(join(root, 'a.txt'), 0)
  await chmod(join(root, 'c'), 0)
  const found = await unprivileged(() => read(root, 'text'))
  await chmod(join(root, 'c'), 0o700)
  expect(found).toMatchObject([
    ['a.txt', 'it cannot be read (EACCES)'],
    { custom_id: 'b.txt' },
    ['c/', 'it cannot be read (EACCES)'],
  ])
})

test('a file of UTF-16 with its mark is read, and the mark of UTF-8 comes off', async () => {
  const root = await folderOf({
    'a.md': Buffer.from('\ufeff---\ntags: [x]\n---\nNotepad wrote it.', 'utf16le'),
    'b.md': Buffer.from('\ufeffNotepad wrote it.', 'utf16le').swap16(),
    'c.md': '\ufeff---\ntags: [x]\n---\nNotepad wrote it.',
  })
  const items = await read(root, 'markdown')
  expect(items.map(({ content, tags }) => [content.text, tags])).toEqual([
    ['Notepad wrote it.', ['x']],
    ['Notepad wrote it.', []],
    ['Notepad wrote it.', ['x']],
  ])
  const { notes } = await measure(await sourceOf(root, 'markdown'))
  expect(notes).toEqual(['a.md', 'b.md'].map((from) => ({ from, note: 'it was read as UTF-16' })))
})

test('what an import does not take is named too', async () => {
  const root = await folderOf({ 'a.md': 'a', 'b.png': 'b', '.obsidian/app.md': 'c', 'node_modules/x.md': 'd' })
  await symlink(join(root, 'a.md'), join(root, 'link.md'))
  const { leftOut } = await measure(await sourceOf(root, 'markdown'))
  expect(leftOut).toEqual([
    { from: '.obsidian', reason: 'hidden', kind: 'outside' },
    { from: 'b.png', reason: 'not .md, .markdown, .mdx', kind: 'outside' },
    { from: 'link.md', reason: 'symbolic link', kind: 'outside' },
    { from: 'node_modules', reason: 'installed packages', kind: 'outside' },
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

test('a path is in the form NFC, whatever form the disk gives; a second file with the same name is left out', async () => {
  const [nfc, nfd] = ['r\u00E9sum\u00E9', 'r\u00E9sum\u00E9'.normalize('NFD')]
  expect(await read(await folderOf({ [`${nfd}/${nfd}.md`]: 'A note.' }), 'markdown')).toMatchObject([
    { content: { metadata: { path: `${nfc}/${nfc}.md` } }, custom_id: `${nfc}/${nfc}.md` },
  ])
  const single = join(await folderOf({ [`${nfd}.txt`]: 'A note.' }), `${nfd}.txt`)
  expect(await read(single, 'text')).toMatchObject([{ custom_id: `${nfc}.txt` }])
  expect(await read(await folderOf({ [`${nfd}.txt`]: 'One.', [`${nfc}.txt`]: 'Two.' }), 'text')).toMatchObject([
    { content: { text: 'One.' }, custom_id: `${nfc}.txt` },
    [`${nfc}.txt`, 'another file has this name in another Unicode form'],
  ])
})
