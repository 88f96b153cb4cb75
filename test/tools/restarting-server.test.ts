import { expect, test } from 'vitest'
import { withPort } from '../../tools/restarting-server.ts'

test.each([
  [[], ['--port', '80']],
  [
    ['--port', '0'],
    ['--port', '80'],
  ],
  [
    ['--port=0', '--persist-to', '/tmp/a'],
    ['--persist-to', '/tmp/a', '--port', '80'],
  ],
  [
    ['--var', 'A:1', '--port', '0', '--var', 'B:2'],
    ['--var', 'A:1', '--var', 'B:2', '--port', '80'],
  ],
])('a server that is started again listens where it did: %j', (args, expected) => {
  expect(withPort(args, '80')).toEqual(expected)
})
