import { expect, test } from 'vitest'
import { ServerOutput } from '../../tools/server-output.ts'

const show = (...lines: string[]): string[] => {
  const output = new ServerOutput()
  return lines.map((line) => output.shown(line)).filter((line) => line !== null)
}

const LOOK_UP =
  '\u001b[31m✘ \u001b[41;31m[\u001b[41;97mERROR\u001b[41;31m]\u001b[0m \u001b[1me = rust/worker/ffi.rs:104: failed: failed to lookup address information: Name or service not known\u001b[0m'
const STACK = '  stack: workerd@3d4d979 workerd@2b5edc0; sentryErrorContext = jsgInternalError; wdErrId = ua1msudb'
const ATTEMPT = JSON.stringify({
  level: 'info',
  event: 'delivery.attempt',
  delivery_id: 'dlv_1',
  subscription_id: 'sub_1',
  attempt: 2,
  status_code: null,
  error: 'connection_failed',
  duration_ms: 40,
  outcome: 'pending',
})

test('a webhook to a name that does not resolve is one quiet line', () => {
  expect(show(LOOK_UP, '', STACK, '', '', ATTEMPT)).toEqual([
    '[webhook] sub_1 attempt 2: connection_failed, pending (40ms)',
  ])
})

test('requests are shown, and what queues, the cron trigger, the probes and the log of wrangler do is not', () => {
  const request = '[wrangler:info] POST /api/memory/store 201 Created (39ms)'
  expect(
    show(
      request,
      '[wrangler:info] QUEUE recollect-local-embed 3/3 (20ms)',
      '[wrangler:info] GET /cdn-cgi/local/scheduled 200 OK (20ms)',
      '[wrangler:info] HEAD /health 200 OK (2ms)',
      '🪵  Logs were written to "/home/ada/.config/.wrangler/logs/wrangler.log"',
    ),
  ).toEqual([request])
})

test('a queue that failed and every other error are shown with what follows them', () => {
  const lines = [
    '[wrangler:info] QUEUE recollect-local-embed 1/3 (20ms)',
    '✘ [ERROR] Uncaught TypeError: x is not a function',
    '',
    '    at store (store.ts:1:1)',
  ]
  expect(show(...lines)).toEqual(lines)
})

test('the line after an unreachable receiver is shown, also where the runtime adds nothing', () => {
  expect(show(LOOK_UP, '[wrangler:info] GET /v1/projects 200 OK (9ms)')).toHaveLength(1)
})

test('the line of a request of `npm start` is not shown, and that of the same request by the user is', () => {
  const output = new ServerOutput()
  const line = '[wrangler:info] POST /v1/api-keys 201 Created (9ms)'
  output.hide('POST /v1/api-keys')
  output.hide('GET /health')
  expect([line, line].map((one) => output.shown(one))).toEqual([null, line])
  expect(output.shown('\u001b[2m[wrangler:info]\u001b[0m GET /health 200 OK (2ms)')).toBe(null)
})
