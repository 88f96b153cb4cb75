import type { CallerLocation } from '../regions.ts'

/** Where a request came from, as Cloudflare says; null where it does not, such as on a laptop. No header says it. */
export function locationOf(request: Request): CallerLocation | null {
  const { continent, longitude }: Record<string, unknown> = { ...request.cf }
  if (typeof continent !== 'string') return null
  const degrees = typeof longitude === 'string' && longitude !== '' ? Number(longitude) : NaN
  return { continent, longitude: Number.isFinite(degrees) ? degrees : null }
}
