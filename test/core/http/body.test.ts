import { expect, test } from 'vitest'
import { z } from 'zod'
import { decodeText, parseForm, parseJson, readBody, requireType, validate } from '../../../src/core/http/body.ts'

const code = (value: string) => expect.objectContaining({ code: value })
const post = (body: BodyInit, headers: HeadersInit = {}) =>
  new Request('http://x.test', { method: 'POST', body, headers })
const chunked = (...parts: string[]) => {
  const encoder = new TextEncoder()
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(encoder.encode(part))
      controller.close()
    },
  })
}

test('security 34: a body is bounded by what it is, not by what it declares', async () => {
  await expect(readBody(post('x'.repeat(11)), 10)).rejects.toEqual(code('payload_too_large'))
  await expect(readBody(post(chunked('123456', '789012')), 10)).rejects.toEqual(code('payload_too_large'))
  expect(new TextDecoder().decode(await readBody(post(chunked('12345', '67890')), 10))).toBe('1234567890')
  const declares = (length: string, body: BodyInit) => readBody(post(body, { 'content-length': length }), 10)
  expect(new TextDecoder().decode(await declares('3', '123'))).toBe('123')
  await expect(declares('11', '123')).rejects.toEqual(code('payload_too_large'))
  for (const length of ['3', 'three', '']) {
    await expect(declares(length, 'x'.repeat(11))).rejects.toEqual(code('payload_too_large'))
    await expect(declares(length, chunked('123456', '789012'))).rejects.toEqual(code('payload_too_large'))
  }
})

test('a missing body is empty', async () => {
  expect(await readBody(new Request('http://x.test', { method: 'POST' }), 10)).toHaveLength(0)
})

test('the media type is compared without its parameters', () => {
  expect(() =>
    requireType(post('{}', { 'content-type': 'Application/JSON; charset=utf-8' }), 'application/json'),
  ).not.toThrow()
  expect(() => requireType(post('{}', { 'content-type': 'text/plain' }), 'application/json')).toThrow(
    code('unsupported_media_type'),
  )
})

test('security 32: a BOM is dropped, invalid UTF-8 is a 400', () => {
  expect(decodeText(new Uint8Array([0xef, 0xbb, 0xbf, 0x7b, 0x7d]))).toBe('{}')
  expect(() => decodeText(new Uint8Array([0xff, 0xfe]))).toThrow(code('invalid_json'))
})

test('a body that is no UTF-8, or ends within a character, leaves nothing behind for the next one', () => {
  const [bom, text] = [
    [0xef, 0xbb, 0xbf],
    [0x7b, 0x7d],
  ]
  for (const broken of [[0xff], [0xf0, 0x9f], [...bom, 0xe2, 0x82], [0x7b, 0xc3], [0x7b, 0x80], bom.slice(0, 2)]) {
    for (const next of [text, [...bom, ...text]]) {
      expect(() => decodeText(Uint8Array.from(broken))).toThrow(code('invalid_json'))
      expect(decodeText(Uint8Array.from(next))).toBe('{}')
    }
    expect(() => decodeText(Uint8Array.from(broken))).toThrow(code('invalid_json'))
    expect(() => decodeText(Uint8Array.of(0x80, 0x7b))).toThrow(code('invalid_json'))
  }
  expect(decodeText(new Uint8Array())).toBe('')
})

test('security 32: hostile JSON is a 4xx or read as RFC 8259 allows, and fast', () => {
  expect(() => parseJson('{"a":')).toThrow(code('invalid_json'))
  expect(() => parseJson(String.raw`{"a":"\ud800"}`)).toThrow(code('validation_failed'))
  expect(() => parseJson(String.raw`{"a":["x\u0000"]}`)).toThrow(code('validation_failed'))
  expect(() => parseJson(String.raw`{"\udc00":1}`)).toThrow(code('validation_failed'))
  expect(parseJson(String.raw`{"a":"\ud83d\ude00"}`)).toEqual({ a: '😀' })
  expect(parseJson('{"a":1,"a":2}')).toEqual({ a: 2 })
  expect(() => parseJson(`${'['.repeat(10_000)}"\\ud800"${']'.repeat(10_000)}`)).toThrow(code('validation_failed'))
})

test('security 30: __proto__ is a key like any other and pollutes nothing', () => {
  const parsed = parseJson('{"__proto__":{"polluted":true}}')
  expect(Object.hasOwn(parsed as object, '__proto__')).toBe(true)
  expect(() => validate(z.strictObject({}), parsed)).toThrow(code('validation_failed'))
  const form = parseForm('__proto__=1&constructor=2')
  expect(() => validate(z.strictObject({}), form)).toThrow(code('validation_failed'))
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
})

test('a parameter that comes twice is an array, which a schema for one value refuses', () => {
  const form = parseForm('a=1&a=2&b=3')
  expect(form).toEqual({ a: ['1', '2'], b: '3' })
  expect(() => validate(z.strictObject({ a: z.string(), b: z.string() }), form)).toThrow(code('validation_failed'))
})

test.each([
  ['tags=%ff', 'tags'],
  ['?a=1&tags=x%C3%28', 'tags'],
  ['%c3=1', '\ufffd'],
  ['a=%E2%82', 'a'],
  ['a=%ed%a0%80', 'a'],
])('bytes of %s that are no UTF-8 are refused, not replaced', (encoded, path) => {
  expect(() => parseForm(encoded)).toThrow(
    expect.objectContaining({ errors: [expect.objectContaining({ path, code: 'invalid_character' })] }),
  )
})

test.each([
  ['tags=%C3%A4&b=%e2%82%ac', { tags: 'ä', b: '€' }],
  ['?a=%F0%9F%98%80+x', { a: '😀 x' }],
  ['a=%EF%BF%BD', { a: '\ufffd' }],
  ['a=100%&b=%zz&c=%8', { a: '100%', b: '%zz', c: '%8' }],
  ['', {}],
])('%s is read', (encoded, fields) => {
  expect(parseForm(encoded)).toEqual(fields)
})

test('a fault without a code of its own has one in our words, not in those of the library', () => {
  const odd = z.number().refine((value) => value % 2 === 1, 'Not odd.')
  expect(() => validate(odd, 2)).toThrow(
    expect.objectContaining({ errors: [{ path: '', code: 'invalid_value', message: 'Not odd.' }] }),
  )
})

test('each fault is named by path, rule and words; unknown fields by their own name', () => {
  const schema = z.strictObject({ name: z.string(), context: z.strictObject({ scope: z.enum(['a']) }) })
  const faults = (error: unknown) =>
    (error as { errors: { path: string; code: string }[] }).errors.map((e) => [e.path, e.code])
  const failure = (() => {
    try {
      return validate(schema, { name: 1, context: { scope: 'b', extra: 1 } })
    } catch (error) {
      return faults(error)
    }
  })()
  expect(failure).toEqual([
    ['name', 'invalid_type'],
    ['context.scope', 'invalid_value'],
    ['context.extra', 'unknown_field'],
  ])
})
