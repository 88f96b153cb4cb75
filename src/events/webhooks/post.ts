import { readBeginning } from '../../core/http/read-beginning.ts'
import { readRetryAfter } from '../../core/values/retry-after.ts'

/** A receiver must send its whole response within this time (contract §5). */
export const TIMEOUT_MS = 15_000
/** The rest of a longer response is not read. */
export const MAX_RESPONSE_BYTES = 16 * 1024
const KEPT_CHARACTERS = 2_048

/** The result of one attempt. `error` null: delivered. */
export interface AttemptResult {
  startedAt: number
  durationMs: number
  statusCode: number | null
  error: string | null
  /** The beginning of the response, for the attempt log. */
  response: string
  retryAfterMs: number | null
}

/** Sends one webhook request. It never throws: an error on the way is the result of the attempt. */
export async function post(
  system: { fetch: typeof fetch; now(): number },
  url: string,
  headers: Record<string, string>,
  body: string,
  timeoutMs = TIMEOUT_MS,
): Promise<AttemptResult> {
  const startedAt = system.now()
  const attempt = { startedAt, statusCode: null, error: null, response: '', retryAfterMs: null }
  const done = (result: Partial<AttemptResult>): AttemptResult => ({
    ...attempt,
    ...result,
    durationMs: system.now() - startedAt,
  })
  const signal = AbortSignal.timeout(timeoutMs)
  let statusCode: number | null = null
  try {
    const reply = await system.fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
    statusCode = reply.status
    const { text } = await readBeginning(reply, MAX_RESPONSE_BYTES, signal)
    const response = text.slice(0, KEPT_CHARACTERS).replaceAll('\0', '\uFFFD').toWellFormed()
    const error = reply.ok ? null : statusCode >= 300 && statusCode < 400 ? 'redirect' : `status_${statusCode}`
    const retryAfterMs = error === null ? null : readRetryAfter(reply.headers.get('retry-after'), system.now())
    return done({ statusCode, error, response, retryAfterMs })
  } catch {
    return done({ statusCode, error: signal.aborted ? 'timeout' : 'connection_failed' })
  }
}
