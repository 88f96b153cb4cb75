import { expect, test, vi } from 'vitest'
import { consoleLog } from '../../src/core/log.ts'

test('a line is one JSON object; an error carries its cause', () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => {})
  consoleLog.error({ event: 'x' }, new Error('outer', { cause: new Error('inner') }))
  const line = JSON.parse(String(error.mock.calls[0]?.[0]))
  expect(line).toMatchObject({ level: 'error', event: 'x', cause: { message: 'outer', cause: { message: 'inner' } } })
  error.mockRestore()
})
