import type { RequestContext } from '../context.ts'
import { BoundedMap } from '../values/bounded-map.ts'
import { sha256 } from '../values/hash.ts'
import { matchesNone } from './if-none-match.ts'

/** One deployment has few origins. The bound keeps made-up Host headers from filling the memory. */
const MAX_ORIGINS = 8
const FRESH_SECONDS = 300

interface Made {
  text: string
  etag: string
}

/**
 * Answers a document that anybody reads and that changes with the build alone. An isolate makes it once for each origin.
 * Its ETag is a hash of it, so a cache that asks again gets a 304 until the next deployment.
 */
export function publicDocument(type: string, textOf: (origin: string) => string) {
  const documents = new BoundedMap<string, Made>(MAX_ORIGINS)
  const made = async (origin: string): Promise<Made> => {
    const known = documents.get(origin)
    if (known) return known
    const text = textOf(origin)
    const document = { text, etag: `"${(await sha256(text)).slice(0, 32)}"` }
    documents.set(origin, document)
    return document
  }
  return async ({ ctx, request }: { ctx: RequestContext; request: Request }): Promise<Response> => {
    const { text, etag } = await made(ctx.client.origin)
    const headers = { 'Cache-Control': `public, max-age=${FRESH_SECONDS}`, ETag: etag }
    return matchesNone(request.headers.get('if-none-match'), etag)
      ? new Response(text, { headers: { 'Content-Type': type, ...headers } })
      : new Response(null, { status: 304, headers })
  }
}
