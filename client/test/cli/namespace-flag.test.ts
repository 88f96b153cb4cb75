import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../../src/cli/run.ts'
import { testIo } from './support/io.ts'

const NAMES = ['a:b', 'a|b', 'a+b', 'a/b', 'a=b', 'a@b', '-a', '=a', '|', '../..', `${'n'.repeat(127)}=`]

let server: Server
/** The namespace of the latest request. */
let asked: string | null

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request)
  const query = new URL(request.url ?? '', 'http://service.test').searchParams
  asked = body === '' ? query.get('namespace') : JSON.parse(body).context.namespace
  response.setHeader('Content-Type', 'application/json')
  response.end(JSON.stringify({ data: [], results: [], has_more: false, next_cursor: null, id: 'mem_1' }))
}

beforeAll(async () => {
  server = createServer((...exchange) => void answer(...exchange))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => server.close())

async function askedBy(...args: string[]): Promise<string | null> {
  asked = null
  const { port } = server.address() as AddressInfo
  const env = { RECOLLECT_URL: `http://127.0.0.1:${port}`, RECOLLECT_API_KEY: 'rck_test_x' }
  await run(testIo({ env }).io, [...args, '--json'], '1.2.3')
  return asked
}

test.each(NAMES)('--namespace %s reaches the service as it is', async (name) => {
  expect(await askedBy('list', '--namespace', name)).toBe(name)
  expect(await askedBy('list', '-n', name)).toBe(name)
  expect(await askedBy('export', `--namespace=${name}`)).toBe(name)
  expect(await askedBy('search', 'kettle', `--namespace=${name}`)).toBe(name)
  expect(await askedBy('store', 'A kettle.', '-n', name)).toBe(name)
})
