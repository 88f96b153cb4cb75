import { beforeEach, expect, test } from 'vitest'
import { AppError, ERROR_STATUS, invalid } from '../../../src/core/errors.ts'
import type { LogLine } from '../../../src/core/log.ts'
import { problem } from '../../../src/core/http/problem.ts'

let lines: { line: LogLine; cause: unknown }[]
beforeEach(() => {
  lines = []
})
const log = { info: () => {}, error: (line: LogLine, cause: unknown) => void lines.push({ line, cause }) }

test('a failure is RFC 9457 problem+json with type, title, status, detail, code and request_id (contract §1)', async () => {
  const response = problem(invalid('name', 'wrong_length', 'Too long.'), 'req_1', 'https://x.test', log)
  expect(response.status).toBe(422)
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  expect(await response.json()).toEqual({
    type: 'https://x.test/api-reference/errors#validation_failed',
    title: 'Invalid input',
    status: 422,
    detail: 'name: Too long.',
    code: 'validation_failed',
    request_id: 'req_1',
    errors: [{ path: 'name', code: 'wrong_length', message: 'Too long.' }],
  })
})

test('a 500 says nothing about the inside and logs its cause under the request id', async () => {
  const cause = new TypeError('secret table missing')
  const response = problem(cause, 'req_2', 'https://x.test', log)
  expect(response.status).toBe(500)
  expect(await response.text()).not.toContain('secret')
  expect(lines).toEqual([{ line: { event: 'request.failed', request_id: 'req_2', code: 'internal' }, cause }])
})

test('every code has its status', () => {
  for (const [code, status] of Object.entries(ERROR_STATUS)) {
    expect(problem(new AppError(code as keyof typeof ERROR_STATUS), 'req', 'https://x.test', log).status).toBe(status)
  }
})
