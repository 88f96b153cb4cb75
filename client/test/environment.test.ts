import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Recollect, refreshingToken, type RecollectOptions } from '../src/index.ts'
import { json, lost } from './support.ts'

/** Files share an isolate, so what others stubbed comes back, and not what stood before it. */
let before: Pick<typeof globalThis, 'fetch' | 'process'>
beforeEach(() => {
  before = { fetch: globalThis.fetch, process: globalThis.process }
})
afterEach(() => {
  vi.stubGlobal('fetch', before.fetch)
  vi.stubGlobal('process', before.process)
})

/** A client that was made where the environment has these variables, and where its first call goes with which key. */
async function callOf(env: Record<string, string>, options?: RecollectOptions) {
  let sent: Request | undefined
  const send = (async (url: string, init?: RequestInit) => {
    sent = new Request(url, init)
    return json({ id: 'mem_1' })
  }) as typeof fetch
  vi.stubGlobal('process', { ...process, env })
  vi.stubGlobal('fetch', send)
  const client = new Recollect(options)
  await client.memory.retrieve('mem_1')
  return {
    url: sent?.url,
    key: sent?.headers.get('x-api-key') ?? null,
    token: sent?.headers.get('x-session-token') ?? null,
  }
}

const ENV = { RECOLLECT_URL: 'https://memory.example/', RECOLLECT_API_KEY: 'rck_live_env' }
const PATH = '/v1/memory/items/mem_1'

describe('the environment', () => {
  test('gives a client without options address and key', async () => {
    const expected = { url: `https://memory.example${PATH}`, key: 'rck_live_env', token: null }
    expect(await callOf(ENV)).toEqual(expected)
    expect(await callOf(ENV, { maxRetries: 0 })).toEqual(expected)
  })

  test('gives no key to an address that the options name', async () => {
    const baseUrl = 'https://other.example'
    expect(await callOf(ENV, { baseUrl })).toEqual({ url: `${baseUrl}${PATH}`, key: null, token: null })
    const credential = { apiKey: 'rck_live_own' }
    expect(await callOf(ENV, { baseUrl, credential })).toMatchObject({ key: 'rck_live_own' })
  })

  test('gives the address alone beside a credential, and no key where it has none', async () => {
    const credential = { sessionToken: 'ses' }
    const url = `https://memory.example${PATH}`
    expect(await callOf(ENV, { credential })).toEqual({ url, key: null, token: 'ses' })
    expect(await callOf({ RECOLLECT_URL: ENV.RECOLLECT_URL })).toEqual({ url, key: null, token: null })
    expect(await callOf({ ...ENV, RECOLLECT_API_KEY: '' })).toMatchObject({ key: null })
  })
})

describe('an address', () => {
  test.each([
    undefined,
    '',
    'memory.example',
    'localhost:8787',
    'nonsense',
    'ftp://a.example',
    'https://',
    'https://a b',
    'https://a.example?x=1',
  ])('that is missing or wrong is said with the name of its option: %s', (baseUrl) => {
    vi.stubGlobal('process', { ...process, env: {} })
    const message = `baseUrl or RECOLLECT_URL must be the address of a service, not "${baseUrl ?? ''}".`
    expect(() => new Recollect(baseUrl === undefined ? {} : { baseUrl })).toThrow(new TypeError(message))
    const tokens = { access_token: 'a', refresh_token: 'r' }
    expect(() =>
      refreshingToken({ clientId: 'x', tokens, onTokens: () => {}, ...(baseUrl === undefined ? {} : { baseUrl }) }),
    ).toThrow(message)
  })

  test('is read where there is no process, as in a browser', () => {
    vi.stubGlobal('process', undefined)
    expect(() => new Recollect()).toThrow('must be the address of a service, not "".')
    expect(new Recollect({ baseUrl: 'https://a.example' })).toBeInstanceOf(Recollect)
  })

  test('that does not answer is named by the failure', async () => {
    const client = new Recollect({
      baseUrl: 'https://nowhere.example/',
      maxRetries: 0,
      fetch: () => Promise.reject(lost()),
    })
    await expect(client.memory.retrieve('mem_1')).rejects.toThrow('The connection to https://nowhere.example failed.')
  })

  test('where something else answers is named by the failure, without the query', async () => {
    const answer = new Response('<!doctype html>', { status: 404 })
    Object.defineProperty(answer, 'url', { value: 'https://www.example/v1/memory/items?q=secret' })
    const client = new Recollect({ baseUrl: 'https://www.example', fetch: () => Promise.resolve(answer) })
    const failure = client.memory.list({ q: 'secret' })
    await expect(failure).rejects.toThrow('https://www.example/v1/memory/items: <!doctype html>')
  })
})
