/** Milliseconds of a `Retry-After`, in seconds or as an HTTP date (RFC 9110 §10.2.3); null where it is neither. */
export function readRetryAfter(header: string | null, now: number): number | null {
  if (header === null) return null
  if (/^\d{1,10}$/.test(header.trim())) return Number(header) * 1_000
  const at = /[a-z]{3}/i.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}
