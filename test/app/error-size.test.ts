/** @module-tag long */
import { describe, expect, test } from 'vitest'
import { MAX_ERROR_BYTES, MAX_ERRORS } from '../../src/core/http/error-size.ts'
import { newSession, newTenant } from '../support/world.ts'
import { ask, rows, takesJson, typeOf } from './every-endpoint.ts'

const MIB = 1024 * 1024

/** Bodies of about 1 MiB whose faults would fill an answer of many. */
const BODIES: Record<string, string> = {
  'a hundred thousand unknown fields': `{${Array.from({ length: 100_000 }, (_, n) => `"${n.toString(36)}":1`).join()}}`,
  'one unknown field with a name of 1 MiB': JSON.stringify({ ['x'.repeat(MIB - 100)]: 1 }),
  'names of control characters': `{${Array.from({ length: 1_000 }, (_, n) => `"${'\\u001b'.repeat(150)}${n}":1`).join()}}`,
  'fields of the wrong type, deep down': JSON.stringify({
    content: {
      metadata: Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`${n}`.repeat(30), 'x'.repeat(9)])),
    },
    tags: Array.from({ length: 5_000 }, () => ({ '😀': 1 })),
    filters: { ['ü'.repeat(9_000)]: { ['$'.repeat(9_000)]: 1 } },
    operations: Array.from({ length: 5_000 }, () => ({ op: 'x' })),
    scopes: Array.from({ length: 20_000 }, () => 'none'),
    channels: Array.from({ length: 20_000 }, () => 'none'),
  }),
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).byteLength

describe.each(Object.entries(BODIES))('an error body is at most 32 KiB (contract §1): %s', (_, raw) => {
  test.each(rows((spec) => takesJson(spec)))('$name', async ({ spec }) => {
    const answer = await ask(spec, { raw })
    expect(answer.status, answer.text).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
    expect(bytesOf(answer.text)).toBeLessThanOrEqual(MAX_ERROR_BYTES)
  })
})

test('an error body is at most 32 KiB: every parameter of a query and a form', async () => {
  const long = 'ü'.repeat(3_000)
  for (const { spec } of rows((one) => one.bodyType === 'form' || one.query !== undefined)) {
    const query = `?${encodeURIComponent(long)}=1&limit=${encodeURIComponent(long)}`
    const answer = await ask(spec, { search: query, ...(spec.body ? { raw: `${long}=1`, type: typeOf(spec) } : {}) })
    expect(bytesOf(answer.text), spec.path).toBeLessThanOrEqual(MAX_ERROR_BYTES)
  }
})

test('50 faults are told, with keys cut at 64 characters, and the others are counted', async () => {
  const [row] = rows(({ path }) => path === '/api/memory/store')
  const raw = JSON.stringify(Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`${n}${'y'.repeat(100)}`, 1])))
  const { body } = await ask(row!.spec, { raw })
  expect(body.errors).toHaveLength(MAX_ERRORS)
  // The missing content is a fault too.
  expect(body.errors_omitted).toBe(1_001 - MAX_ERRORS)
  for (const { path } of body.errors) expect(Array.from(path).length).toBeLessThanOrEqual(65)
})

test('a failed batch and an import of 5,000 wrong lines tell their errors within bounds', async () => {
  const headers = await newSession(await newTenant())
  const bad = JSON.stringify({ content: { metadata: {} }, ['"'.repeat(5_000)]: 1 })
  const [batch] = rows(({ path }) => path === '/api/memory/batch')
  const atomic = `{"atomic": true, "operations": [${Array.from({ length: 50 }, () => bad).join()}]}`
  const refused = await ask(batch!.spec, { raw: atomic, headers })
  expect(refused.status).toBe(422)
  expect(bytesOf(refused.text)).toBeLessThanOrEqual(MAX_ERROR_BYTES)
  const [imported] = rows(({ path }) => path === '/v1/memory/import')
  const report = await ask(imported!.spec, { raw: Array.from({ length: 300 }, () => bad).join('\n'), headers })
  expect(report.body).toMatchObject({ failed: 300, errors_omitted: 250 })
  expect(report.body.results.filter((one: { error?: unknown }) => one.error)).toHaveLength(MAX_ERRORS)
  expect(report.body.results.every((one: { status: string }) => one.status === 'error')).toBe(true)
})
