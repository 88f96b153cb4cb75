import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { demoAccount, greeting } from '../../tools/demo.ts'

const OLD = { isOld: true, passwordFile: '/nowhere/demo-password.txt', first: null }
const pasted = (text: string): string[] => text.split('\n').filter((line) => line.startsWith('  export'))

test('a later start prints the one line that a terminal needs', () => {
  const text = greeting('http://localhost:9000', { ...OLD, key: 'rck_test_x' })
  expect(pasted(text)).toEqual(['  export RECOLLECT_URL=http://localhost:9000 RECOLLECT_API_KEY=rck_test_x'])
})

test('data without a demo key leads to the portal', () => {
  const text = greeting('http://localhost:9000', { ...OLD, key: null })
  expect(pasted(text)).toEqual([])
  expect(text).toContain('Create an API key in the portal.')
})

test('a question without an answer says so, where the model of this machine has not responded', () => {
  const first = { answer: null, ms: 12.3 }
  const text = greeting('http://localhost:9000', { ...OLD, isOld: false, key: 'rck_test_x', first })
  expect(text).toContain('  Answer    none yet: the embedding model has not responded\n  Time      13 ms\n')
})

/** A service that answers each path with a status, and what it was sent. */
function standIn(answers: Record<string, [number, object]>) {
  const sent: { path: string; body: unknown }[] = []
  const send = (url: URL, init: RequestInit) => {
    sent.push({ path: url.pathname, body: init.body })
    const [status, body] = answers[url.pathname] ?? [500, {}]
    return Promise.resolve(Response.json(body, { status }))
  }
  return { sent, send: send as typeof fetch }
}

test('a store that fails ends the start with what the service said', async () => {
  const state = mkdtempSync(join(tmpdir(), 'recollect-demo-'))
  onTestFinished(() => rmSync(state, { recursive: true, force: true }))
  const { send, sent } = standIn({
    '/auth/register-user': [201, { session_token: 'rcs_x' }],
    '/v1/api-keys': [201, { key: 'rck_test_x' }],
    '/api/memory/store': [503, { code: 'unavailable' }],
  })
  await expect(demoAccount('http://localhost:9000', state, send)).rejects.toThrow(
    '/api/memory/store responded with 503: {"code":"unavailable"}',
  )
  expect(sent.map(({ path }) => path)).toEqual(['/auth/register-user', '/v1/api-keys', '/api/memory/store'])
})
