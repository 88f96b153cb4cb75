import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSource, type Format } from '../../../src/cli/convert/source.ts'
import { NOW, testIo } from '../support/io.ts'

/** The lines of a file, and why some are left out. */
async function read(bytes: Uint8Array | string, format: Format = 'jsonl') {
  const { io, home } = testIo()
  const source = join(home, 'items.jsonl')
  await writeFile(source, bytes)
  const found = []
  for await (const one of (await openSource(io, source, { format, numbersAsText: false }, NOW)).records())
    found.push('reason' in one ? [one.from, one.reason] : one.line)
  return found
}

const LINES = '{"content": "caf\u00e9"}\n\n {"content": "two"}\r\n'
const READ = ['{"content": "café"}', '{"content": "two"}']

test.each([
  ['UTF-8', Buffer.from(LINES)],
  ['UTF-8 with a mark', Buffer.from(`\ufeff${LINES}`)],
  ['UTF-16 with a mark, as PowerShell writes it', Buffer.from(`\ufeff${LINES}`, 'utf16le')],
  ['UTF-16 of the other order', Buffer.from(`\ufeff${LINES}`, 'utf16le').swap16()],
])('lines of %s', async (_, bytes) => {
  expect(await read(bytes)).toEqual(READ)
})

test('a line that is not UTF-8 is left out, and the others are read', async () => {
  const bytes = Buffer.from('{"content": "one"}\n{"content": "caf\xe9"}\n{"content": "three"}', 'latin1')
  expect(await read(bytes)).toEqual(['{"content": "one"}', ['line 2', 'it is not UTF-8 text'], '{"content": "three"}'])
  expect(await read(Buffer.from('{"content": "one"}\n', 'utf16le'))).toEqual([
    ['line 1', 'it is not UTF-8 text: it contains a NUL character'],
    ['line 2', 'it is not UTF-8 text: it contains a NUL character'],
  ])
})

test('a line end of Unicode inside a text ends no line', async () => {
  const line = JSON.stringify({ content: 'one\u2028two\u2029three' })
  expect(await read(`${line}\n`)).toEqual([line])
})

test('a character across two chunks of a file is whole', async () => {
  const lines = Array.from({ length: 4_000 }, (_, n) => `{"content": "${'é€😀'.repeat(n % 7)}"}`)
  expect(await read(lines.join('\n'))).toEqual(lines)
})

test.each([['[{"content": "one"}]'], ['[\n{"content": "one"}\n]'], ['{\n"content": "one"\n}']])(
  'JSON that is no JSON lines says so: %j',
  async (text) => {
    await expect(read(text)).rejects.toThrow('is a JSON array or object, not JSON Lines')
  },
)

test('an export that is not UTF-8 is refused as a whole, and one with a mark is read', async () => {
  const latin1 = Buffer.from('[{"memory": "caf\xe9"}]', 'latin1')
  await expect(read(latin1, 'mem0')).rejects.toThrow('cannot be read: it is not UTF-8 text.')
  expect(await read('\ufeff[{"memory": "tea"}]', 'mem0')).toMatchObject([expect.stringContaining('"tea"')])
})
