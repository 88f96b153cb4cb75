import { describe, expect, test } from 'vitest'
import { newWriter } from '../support/memory.ts'
import { OLDER } from '../support/mcp.ts'
import { call, newTenant } from '../support/world.ts'
import { answersProblems, ask, expectProblem, rows, takesJson } from './every-endpoint.ts'

const ID = '1234567890123456789'
const JSON_TYPE = { 'Content-Type': 'application/json' }
const fault = (path: string) => expect.objectContaining({ path, code: 'unsafe_integer' })

test.each(rows((spec) => takesJson(spec) && answersProblems(spec)))(
  '$name refuses an integer that a JSON number does not keep (contract §1)',
  async (row) => {
    const answer = await ask(row.spec, { raw: `{"a": [{"b": ${ID}}]}` })
    expectProblem(answer, 'validation_failed', row)
    expect(answer.body.errors).toEqual([fault('a.0.b')])
  },
)

describe('where a client chooses the names', () => {
  const send = async (path: string, raw: string, method = 'POST') => {
    const { headers } = await newWriter()
    return call(method, path, { headers: { ...headers, ...JSON_TYPE }, raw })
  }

  test.each([
    [
      'metadata',
      '/api/memory/store',
      `{"content":{"text":"x","metadata":{"user_id":${ID}}}}`,
      'content.metadata.user_id',
    ],
    ['filters', '/api/memory/search', `{"query":"x","filters":{"metadata.user_id":${ID}}}`, 'filters.metadata.user_id'],
    ['a negative one', '/v1/memory/delete', `{"filters":{"metadata.a":{"in":[-${ID}]}}}`, 'filters.metadata.a.in.0'],
    ['data', '/api/events/publish', `{"type":"a.b","channel":"mine","data":{"order":${ID}}}`, 'data.order'],
  ])('%s', async (_, path, raw, at) => {
    const { status, body } = await send(path, raw)
    expect([status, body.errors]).toEqual([422, [fault(at)]])
  })

  test('the digits of a string stay', async () => {
    const { status, body } = await send(
      '/api/memory/store',
      `{"content":{"text":"Card 4111111111111111","metadata":{"user_id":"${ID}","n":9007199254740991}}}`,
    )
    expect([status, body.content?.metadata]).toEqual([201, { user_id: ID, n: Number.MAX_SAFE_INTEGER }])
  })

  test('filters of a query string', async () => {
    const { headers } = await newWriter()
    const filters = encodeURIComponent(`{"metadata.user_id":${ID}}`)
    for (const path of ['/v1/memory/items', '/v1/memory/export']) {
      const { status, body } = await call('GET', `${path}?filters=${filters}`, { headers })
      expect([status, body.errors]).toEqual([422, [fault('filters.metadata.user_id')]])
    }
  })

  test('an operation of a batch is refused, and the others are done', async () => {
    const operations = `{"op":"store","content":"x"},{"op":"update","id":"mem_x","content":{"metadata":{"id":${ID},"b":-${ID}}}}`
    const { status, body } = await send('/api/memory/batch', `{"operations":[${operations}]}`)
    expect([status, body.success_count, body.error_count]).toEqual([200, 1, 1])
    expect(body.results[1]).toMatchObject({ op: 'update', error: { status: 422, code: 'validation_failed' } })
    expect(body.results[1].error.detail).toContain('content.metadata.id is an integer')
    const atomic = await send('/api/memory/batch', `{"atomic":true,"operations":[${operations}]}`)
    expect([atomic.status, atomic.body.results[0].status]).toEqual([422, 'skipped'])
  })

  test('a line of an import is refused, and the others are stored', async () => {
    const { headers } = await newWriter()
    const { body } = await call('POST', '/v1/memory/import', {
      headers: { ...headers, 'Content-Type': 'application/x-ndjson' },
      raw: `{"content":"one"}\n{"content":{"text":"two","metadata":{"id":${ID}}}}\n{"content":"three"}`,
    })
    expect(body).toMatchObject({ created: 2, failed: 1 })
    expect(body.results[1]).toMatchObject({ line: 2, error: { status: 422, code: 'validation_failed' } })
    expect(body.results[1].error.detail).toContain('content.metadata.id is an integer')
  })
})

describe('of an MCP message', () => {
  const send = async (raw: string) => {
    const { key } = await newTenant()
    return call('POST', '/mcp', { headers: { ...OLDER, ...JSON_TYPE, Authorization: `Bearer ${key}` }, raw })
  }
  const calling = (args: string, id = '7') =>
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"store_memory","arguments":${args}}}`

  test.each([ID, '123456789012345678901234567890'])(
    'the argument %s is an error that the model reads',
    async (number) => {
      const { status, body } = await send(calling(`{"text":"x","metadata":{"id":${number}}}`))
      expect([status, body.id, body.result?.isError]).toEqual([200, 7, true])
      expect(body.result.content[0].text).toMatch(
        /^validation_failed: metadata\.id is an integer .*: send it as a string\.$/,
      )
    },
  )

  test('its own id is refused, since the answer would name another', async () => {
    const { status, body } = await send(calling('{"text":"x"}', ID))
    expect([status, body.id, body.error.code]).toEqual([400, null, -32600])
  })

  test('one in _meta, which nothing keeps, is no fault', async () => {
    const { body } = await send(`{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"_meta":{"trace":${ID}}}}`)
    expect(body.result.tools.length).toBeGreaterThan(0)
  })
})
