import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { testIo } from '../../support/io.ts'
import { exportBytes, exportPath, read } from './support.ts'

const conversation = (id: string) => ({
  uuid: id,
  name: id,
  chat_messages: [{ uuid: `${id}-1`, sender: 'human', text: `This is ${id}.`, created_at: '2026-03-01T09:00:00Z' }],
})
const jsonOf = (...ids: string[]) => Buffer.from(JSON.stringify(ids.map(conversation)))

const textsOf = (lines: readonly unknown[]) => lines.map((line) => (line as { content: { text: string } }).content.text)

async function zipOf(files: Record<string, Uint8Array>): Promise<string> {
  const path = join(testIo().home, 'export.zip')
  await writeFile(path, zipSync(files))
  return path
}

test.each(['chatgpt', 'claude'] as const)('a zip gives what its JSON file gives: %s', async (app) => {
  const bytes = await exportBytes(`${app}.json`)
  const { lines, counts } = await read(exportPath(`${app}.json`), app)
  const path = await zipOf({ 'conversations.json': bytes, 'user.json': Buffer.from('{}') })
  const zipped = await read(path, app)
  expect(zipped.lines).toEqual(lines)
  expect(zipped.counts).toEqual({ ...counts, 'file without conversations': 1 })
})

test('several files of conversations in the order of their names, in a folder of the zip too', async () => {
  const path = await zipOf({
    'export/conversations-001.json': jsonOf('third'),
    'export/conversations-000.json': jsonOf('first', 'second'),
    'export/shared_conversations.json': jsonOf('no'),
    'export/images/a.png': Buffer.from('x'),
  })
  const { lines, counts, leftOutByReason } = await read(path, 'claude')
  expect(textsOf(lines)).toEqual(['This is first.', 'This is second.', 'This is third.'])
  expect(counts).toEqual({ 'file without conversations': 2 })
  expect(leftOutByReason.list()[0]?.from).toEqual(['export/images/a.png', 'export/shared_conversations.json'])
})

test('a folder that the zip was unpacked to', async () => {
  const { home } = testIo()
  await mkdir(join(home, 'images'))
  await writeFile(join(home, 'conversations-000.json'), jsonOf('first'))
  await writeFile(join(home, 'conversations-001.json'), jsonOf('second'))
  await writeFile(join(home, 'users.json'), '[]')
  const { lines, counts } = await read(home, 'claude')
  expect(textsOf(lines)).toEqual(['This is first.', 'This is second.'])
  expect(counts).toEqual({ 'file without conversations': 1 })
})

test('a zip that cannot be read says so, and one without conversations too', async () => {
  const { home } = testIo()
  const cut = join(home, 'cut.zip')
  await writeFile(cut, zipSync({ 'conversations.json': jsonOf('first') }).subarray(0, 100))
  await expect(read(cut, 'claude')).rejects.toThrow('cut.zip is a zip that cannot be read')
  const damaged = zipSync({ 'conversations.json': Buffer.alloc(10_000, jsonOf('first')) })
  damaged.fill(0xff, 60, 90)
  await writeFile(cut, damaged)
  await expect(read(cut, 'claude')).rejects.toThrow('cut.zip is a zip that cannot be read')
  await expect(read(await zipOf({ 'user.json': jsonOf() }), 'chatgpt')).rejects.toThrow('has no conversations.json')
  await expect(read(await zipOf({}), 'chatgpt')).rejects.toThrow('has no conversations.json')
})

test('a file that is no export, a missing one and standard input are named', async () => {
  const { home } = testIo()
  const path = join(home, 'notes.txt')
  await writeFile(path, 'Dear diary')
  await expect(read(path, 'chatgpt')).rejects.toThrow('notes.txt cannot be read: it is not a JSON array.')
  await expect(read(join(home, 'gone.zip'), 'chatgpt')).rejects.toThrow('gone.zip does not exist.')
  await expect(read('-', 'claude')).rejects.toThrow('--from claude reads a file or a folder, not standard input.')
})
