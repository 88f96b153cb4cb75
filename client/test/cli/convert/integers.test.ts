import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exactJson, integersAsTexts, unsafeIntegerIn } from '../../../src/cli/convert/integers.ts'
import { openSource, type Format } from '../../../src/cli/convert/source.ts'
import { NOW, testIo } from '../support/io.ts'

const ID = '1234567890123456789'

test.each([
  [`{"id":${ID}}`, `{"id":"${ID}"}`],
  [`[-${ID}, 1]`, `["-${ID}", 1]`],
  [String.raw`{"a\"${ID}":"${ID}\\","b":${ID}}`, String.raw`{"a\"${ID}":"${ID}\\","b":"${ID}"}`],
  ['{"a":9007199254740991,"b":9007199254740992}', '{"a":9007199254740991,"b":"9007199254740992"}'],
  ['{"a":0.1234567890123456789}', '{"a":0.1234567890123456789}'],
  ['{"a":"x"}', '{"a":"x"}'],
])('%s', (json, expected) => {
  expect(integersAsTexts(json)).toBe(expected)
  expect(unsafeIntegerIn(json) === undefined).toBe(json === expected)
})

test('JSON of a value names the integer that it would change', () => {
  expect(exactJson('a', { small: 5n, list: [1, 'x'] })).toBe('{"small":5,"list":[1,"x"]}')
  expect(() => exactJson('a.md', { deep: { id: BigInt(ID) } })).toThrow(`a.md: "id" is an integer`)
  expect(() => exactJson('record 3', { id: 2 ** 60 })).toThrow('record 3: "id"')
  expect(exactJson('a', { id: BigInt(ID) }, true)).toBe(`{"id":"${ID}"}`)
})

async function linesOf(name: string, text: string, format: Format, numbersAsText: boolean): Promise<string[]> {
  const { io, home } = testIo()
  await mkdir(home, { recursive: true })
  const path = join(home, name)
  await writeFile(path, text)
  const lines = []
  for await (const one of (await openSource(io, path, { format, numbersAsText }, NOW)).records())
    if ('line' in one) lines.push(one.line)
  return lines
}

test.each<[Format, string, string]>([
  ['mem0', `[{"id":"a","memory":"x","user_id":${ID}}]`, 'record 1: "user_id"'],
  ['mem0', `{"id":"a","memory":"x"}\n{"memory":"x","metadata":{"n":${ID}000}}`, 'record 2: "n"'],
  ['supermemory', `[{"id":"a","content":"x","metadata":{"n":[${ID}]}}]`, 'record 1: "0"'],
  ['markdown', `---\nuser_id: ${ID}\n---\nText`, 'notes: "user_id"'],
])('--from %s: an integer is named before anything is sent, or becomes a text', async (format, text, named) => {
  await expect(linesOf('notes', text, format, false)).rejects.toMatchObject({
    exit: 7,
    message: expect.stringContaining(`${named} is an integer that JSON numbers do not keep exactly`),
    hint: expect.stringContaining('--numbers-as-text'),
  })
  expect((await linesOf('notes', text, format, true)).join('\n')).toContain(`"${ID}`)
})

test('JSON lines go to the service as they are, which names the line, or with texts', async () => {
  const line = `{"content":{"text":"x","metadata":{"id":${ID}}}}`
  expect(await linesOf('items', line, 'jsonl', false)).toEqual([line])
  expect(await linesOf('items', line, 'jsonl', true)).toEqual([line.replace(ID, `"${ID}"`)])
})
