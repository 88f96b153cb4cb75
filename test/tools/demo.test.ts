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
  expect(text).toContain(
    '  Answer    none yet: the embedding model has not responded; the next start asks again\n  Time      13 ms\n',
  )
})

/** A service that answers each path with a status, and what it was sent. */
function standIn(answers: Record<string, [number, object]>) {
  const sent: { path: string; body: unknown }[] = []
  const send = (url: URL, init: RequestInit) => {
    sent.push({ path: url.pathname, body: init.body })
    const [status, body] = answers[url.pathname] ?? [500, {}]
    return Promise.resolve(Response.json(body, { status }))
  }
  return { sent, paths: () => sent.map(({ path }) => path), send: send as typeof fetch }
}

const ORIGIN = 'http://localhost:9000'
const SESSION = { session_token: 'rcs_x' }
const FOUND = { results: [{ content: { text: 'Ada is allergic to peanuts.' } }] }
const HEALTHY: Record<string, [number, object]> = {
  '/auth/register-user': [201, SESSION],
  '/auth/login': [200, SESSION],
  '/v1/api-keys': [201, { key: 'rck_test_x' }],
  '/api/memory/store': [201, {}],
  '/api/memory/search': [200, FOUND],
}

function newState(): string {
  const state = mkdtempSync(join(tmpdir(), 'recollect-demo-'))
  onTestFinished(() => rmSync(state, { recursive: true, force: true }))
  return state
}

test('the first start waits for the last sample alone, and the next one shows no result again', async () => {
  const state = newState()
  const { send, sent } = standIn(HEALTHY)
  expect(await demoAccount(ORIGIN, state, send)).toMatchObject({ first: { answer: 'Ada is allergic to peanuts.' } })
  const stored = sent.filter(({ path }) => path === '/api/memory/store').map(({ body }) => JSON.parse(String(body)))
  expect(stored.map(({ custom_id, wait_ms }) => [custom_id, wait_ms])).toEqual([
    ['ada-tea', undefined],
    ['ada-allergy', 5_000],
  ])
  const next = standIn(HEALTHY)
  expect(await demoAccount(ORIGIN, state, next.send)).toMatchObject({ isOld: true, key: 'rck_test_x', first: null })
  expect(next.sent).toEqual([])
})

test.each<[string, Record<string, [number, object]>, string]>([
  [
    'a store is refused',
    { '/api/memory/store': [503, { code: 'unavailable' }] },
    'There is no first result yet, and the next start asks for it again: /api/memory/store responded with 503: {"code":"unavailable"}\n',
  ],
  ['nothing is found', { '/api/memory/search': [200, { results: [] }] }, '  Answer    none yet: '],
])('where %s the start says so with its addresses, and the next one shows the result', async (_, fault, said) => {
  const state = newState()
  const first = await demoAccount(ORIGIN, state, standIn({ ...HEALTHY, ...fault }).send)
  const printed = greeting(ORIGIN, first)
  expect(printed).toContain(said)
  expect(printed).toContain(`export RECOLLECT_URL=${ORIGIN} RECOLLECT_API_KEY=rck_test_x`)
  const next = standIn(HEALTHY)
  expect(greeting(ORIGIN, await demoAccount(ORIGIN, state, next.send))).toContain('Ada is allergic to peanuts.')
  expect(next.paths()).toEqual(['/auth/login', '/api/memory/store', '/api/memory/store', '/api/memory/search'])
  const third = standIn(HEALTHY)
  await demoAccount(ORIGIN, state, third.send)
  expect(third.sent).toEqual([])
})

test('data whose demo account cannot log in any more is used as it is', async () => {
  const state = newState()
  await demoAccount(ORIGIN, state, standIn({ ...HEALTHY, '/api/memory/store': [503, {}] }).send)
  const account = await demoAccount(ORIGIN, state, standIn({ ...HEALTHY, '/auth/login': [401, {}] }).send)
  expect(account).toMatchObject({ isOld: true, first: { failure: '/auth/login responded with 401: {}' } })
})
