import { Reply, type EndpointSpec } from '../core/http/endpoint.ts'
import type { AppError } from '../core/errors.ts'

/** The status that a result is sent with: its own, or the first of the declaration. */
export const statusOf = (spec: EndpointSpec, result: unknown): number =>
  result instanceof Reply ? result.status : Number(Object.keys(spec.reply)[0])

/** A result as the endpoint's declaration says, with the RateLimit headers of its call. */
export function respond(spec: EndpointSpec, result: unknown, limits: Record<string, string>): Response {
  if (result instanceof Response) {
    const response = new Response(result.body, result)
    for (const [name, value] of Object.entries(limits)) response.headers.set(name, value)
    return response
  }
  const status = statusOf(spec, result)
  const headers = { ...limits, ...(result instanceof Reply ? result.headers : {}) }
  const body = result instanceof Reply ? result.body : result
  if (spec.reply[status] === null || body === undefined) return new Response(null, { status, headers })
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...headers },
  })
}

export const withHeaders = (error: AppError, headers: Record<string, string>): AppError => {
  Object.assign(error.headers, { ...headers, ...error.headers })
  return error
}
