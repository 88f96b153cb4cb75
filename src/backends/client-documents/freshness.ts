import { DAY_MS, MINUTE_MS } from '../../core/values/durations.ts'

/** Whatever its host says, a document is fetched again after this time. */
const MAX_FRESH_MS = 7 * DAY_MS
/** A failure is answered again for this long, so that nobody makes this service ask a host over and over. */
export const KEEP_FAILURE_MS = MINUTE_MS

/**
 * For how long a response may be used again, in milliseconds (RFC 9111 §4.2): by its `Cache-Control`, else its `Expires`, less
 * its `Age`. 0 where it forbids that, or says nothing that can be read.
 */
export function freshFor(headers: Headers, now: number): number {
  const directives = new Map<string, string | undefined>()
  for (const one of (headers.get('cache-control') ?? '').toLowerCase().split(',')) {
    const [name = '', value] = one.trim().split('=', 2)
    directives.set(name, value)
  }
  if (['no-store', 'no-cache', 'private'].some((name) => directives.has(name))) return 0
  const age = seconds(headers.get('age') ?? undefined) ?? 0
  const maxAge = seconds(directives.get('s-maxage')) ?? seconds(directives.get('max-age'))
  const expires = Date.parse(headers.get('expires') ?? '') - (Date.parse(headers.get('date') ?? '') || now)
  const fresh = maxAge === undefined ? expires : maxAge * 1_000
  return Math.min(Math.max(0, (fresh || 0) - age * 1_000), MAX_FRESH_MS)
}

const seconds = (text: string | undefined): number | undefined => {
  const digits = /^"?(\d{1,10})"?$/.exec(text ?? '')?.[1]
  return digits === undefined ? undefined : Number(digits)
}
