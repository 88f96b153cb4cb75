import { expect, test } from 'vitest'
import { elementsOf } from '../../../../src/cli/convert/chats/json-array.ts'

async function* inChunks(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function elements(json: string | Uint8Array, size = 5): Promise<unknown[]> {
  const all: unknown[] = []
  for await (const element of elementsOf('a.json', inChunks(Buffer.from(json), size))) all.push(element)
  return all
}

test('the elements are those of JSON.parse, wherever the chunks end', async () => {
  const value = [{ a: '😀 日本 é \u2028 "\\', b: [1, { c: null }], n: -1.5e3 }, [], 7, 'x', null, {}]
  for (const json of [JSON.stringify(value), JSON.stringify(value, null, 2), `\ufeff ${JSON.stringify(value)}\n\n`]) {
    for (const size of [5, 7, 10_000]) expect(await elements(json, size)).toEqual(value)
  }
  expect(await elements('[{"a": "\\ud83d\\ude00"}]')).toEqual([{ a: '😀' }])
  expect(await elements('[]')).toEqual([])
})

test('a chunk is read once the elements of the one before are taken', async () => {
  let chunks = 0
  async function* endless() {
    yield Buffer.from('[')
    for (;;) {
      chunks += 1
      yield Buffer.from('{"a": 1},')
    }
  }
  let elementCount = 0
  for await (const _ of elementsOf('a.json', endless())) if (++elementCount === 1_000) break
  expect(chunks).toBe(1_000)
})

test('an element with the name __proto__ changes no prototype', async () => {
  const [element] = await elements('[{"__proto__": {"polluted": 1}}]')
  expect(element).not.toHaveProperty('polluted')
})

test('elements come out before the fault that follows them', async () => {
  const seen: unknown[] = []
  const all = elementsOf('a.json', inChunks(Buffer.from('[{"a": 1}, {"a": 2}, oops'), 5))
  await expect(
    (async () => {
      for await (const one of all) seen.push(one)
    })(),
  ).rejects.toThrow('a.json cannot be read:')
  expect(seen).toEqual([{ a: 1 }, { a: 2 }])
})

test('a hundred thousand levels fill no stack', async () => {
  expect(await elements(`[1, ${'['.repeat(100_000)}${']'.repeat(100_000)}]`, 65_536)).toHaveLength(2)
})

test.each([
  ['a file that ends too early', '[{"a": 1},'],
  ['an empty file', ''],
  ['spaces', '     '],
  ['an object', '{"a": [1]}'],
  ['a text', '"[1]"'],
  ['two arrays', '[1] [2]'],
  ['bytes that are not UTF-8', Uint8Array.of(0x5b, 0x22, 0xff, 0x22, 0x5d)],
])('%s cannot be read', async (_, json) => {
  await expect(elements(json, 65_536)).rejects.toThrow(/^a\.json cannot be read: .*\.$/)
})
