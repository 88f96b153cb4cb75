import { beforeEach, expect, test, vi } from 'vitest'
import { ConnectionError, TimeoutError, type ImportReport } from '../src/index.ts'
import { fakeTimers } from '../../test/support/fake-timers.ts'
import { clientOf, json, lost, problem } from './support.ts'

beforeEach(() => fakeTimers('setTimeout', 'clearTimeout', 'performance'))

/** A response that comes in these pieces; `then` ends it. */
function stream(pieces: string[], then: 'end' | 'cut' | 'hang' = 'end'): Response {
  const rest = [...pieces]
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const piece = rest.shift()
      if (piece !== undefined) controller.enqueue(new TextEncoder().encode(piece))
      else if (then === 'end') controller.close()
      else if (then === 'cut') controller.error(new TypeError('terminated'))
      else await new Promise(() => {})
    },
  })
  return new Response(body, { headers: { 'Content-Type': 'application/x-ndjson' } })
}

async function idsOf(lines: AsyncIterable<{ id: string }>, into: string[] = []): Promise<string[]> {
  for await (const { id } of lines) into.push(id)
  return into
}

test('an export hands out each line as it comes, wherever the pieces are cut', async () => {
  const { client, sent } = clientOf([() => stream(['{"id":"ä', '1"}\n{"i', 'd":"2"}\n\n', '{"id":"3"}'])])
  expect(await idsOf(client.memory.export({ project_id: 'prj_1' }))).toEqual(['ä1', '2', '3'])
  expect(sent[0]?.url).toBe('http://service.test/v1/memory/export?project_id=prj_1')
})

test('the audit log is exported as lines', async () => {
  const { client, sent } = clientOf([() => stream(['{"id":"aud_1"}\n'])])
  expect(await idsOf(client.audit.export({ action: 'memory.store' }))).toEqual(['aud_1'])
  expect(sent[0]?.headers.get('accept')).toBe('application/x-ndjson')
})

test('an export is tried again until its first line, and fails where it breaks off', async () => {
  const begun = clientOf([lost(), problem(503, 'x'), () => stream(['{"id":"1"}\n'])])
  expect(await idsOf(begun.client.memory.export())).toEqual(['1'])
  const ids: string[] = []
  const broken = clientOf([() => stream(['{"id":"1"}\n{"id":'], 'cut')])
  await expect(idsOf(broken.client.memory.export(), ids)).rejects.toThrow(ConnectionError)
  const half = clientOf([() => stream(['{"id":"2"}\n{"id":'])])
  await expect(idsOf(half.client.memory.export(), ids)).rejects.toThrow(ConnectionError)
  expect(ids).toEqual(['1', '2'])
})

test('the limit of an export is its silence: neither its length nor the time of the caller', async () => {
  const { client } = clientOf([() => stream(['{"id":"1"}\n', '{"id":"2"}\n'], 'hang')])
  const lines = client.memory.export({}, { timeoutMs: 1_000 })
  expect((await lines.next()).value).toMatchObject({ id: '1' })
  await vi.advanceTimersByTimeAsync(60_000)
  expect((await lines.next()).value).toMatchObject({ id: '2' })
  const failure = lines.next().catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await failure).toBeInstanceOf(TimeoutError)
})

test('a loop that ends early cancels the response', async () => {
  let cancelled = false
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode('{"id":"1"}\n')),
    cancel: () => void (cancelled = true),
  })
  const { client } = clientOf([() => new Response(body)])
  for await (const { id } of client.memory.export()) if (id === '1') break
  expect(cancelled).toBe(true)
  expect(vi.getTimerCount()).toBe(0)
})

/** Reports each line as created, but for those that say otherwise. */
async function importer(request: Request): Promise<Response> {
  const lines = (await request.text()).split('\n').map((line) => JSON.parse(line) as { content: string })
  const results = lines.map(({ content }, index) =>
    content === 'bad'
      ? { line: index + 1, status: 'error', error: { status: 422, code: 'x', detail: '' } }
      : { line: index + 1, status: 'created', id: content },
  )
  const failed = results.filter(({ status }) => status === 'error').length
  return json({ created: lines.length - failed, updated: 0, failed, times_kept: true, results })
}

async function* texts(count: number) {
  for (let n = 1; n <= count; n += 1) yield { content: n === 1_500 ? 'bad' : `${n}` }
}

test('an import sends 1,000 lines a call, each with a key of its own, and counts lines over all', async () => {
  const { client, sent } = clientOf([importer])
  const reports: ImportReport[] = []
  const options = { projectId: 'prj_1', onReport: (report: ImportReport) => reports.push(report) }
  const summary = await client.memory.import(texts(2_300), options)
  expect(summary).toMatchObject({ lines: 2_300, created: 2_299, updated: 0, failed: 1, times_kept: true })
  expect(summary.errors).toMatchObject([{ line: 1_500, status: 'error' }])
  expect(reports.map(({ results }) => [results[0]?.line, results.at(-1)?.line])).toEqual([
    [1, 1_000],
    [1_001, 2_000],
    [2_001, 2_300],
  ])
  expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(3)
  expect(sent[0]?.url).toBe('http://service.test/v1/memory/import?project_id=prj_1')
  expect(sent[0]?.headers.get('content-type')).toBe('application/x-ndjson')
})

test('a call of an import that broke off is sent again with its key, and a whole import with keys of the caller', async () => {
  const { client, sent } = clientOf([importer, lost(), importer])
  await client.memory.import(texts(3), { linesPerCall: 2, idempotencyKey: 'mine' })
  expect(sent.map(({ headers }) => headers.get('idempotency-key'))).toEqual(['mine-0', 'mine-2', 'mine-2'])
})

test('a call of an import holds at most 15 MiB, and an import of nothing calls nothing', async () => {
  const { client, sent } = clientOf([importer])
  const content = 'ä'.repeat(4 * 2 ** 20)
  await client.memory.import([{ content: 'small' }, { content }, { content }, { content: 'last' }])
  expect(sent).toHaveLength(2)
  expect((await client.memory.import([])).lines).toBe(0)
  expect(sent).toHaveLength(2)
})

test('a call of an import may take 120 s', async () => {
  const { client } = clientOf([() => new Promise<Response>(() => {})])
  const failure = client.memory.import([{ content: 'x' }]).catch((error: unknown) => error)
  let ended = false
  void failure.then(() => (ended = true))
  await vi.advanceTimersByTimeAsync(119_999)
  expect(ended).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(await failure).toBeInstanceOf(TimeoutError)
})
