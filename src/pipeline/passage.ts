import type { Context } from 'hono'
import type { ClientInfo, Principal, RequestContext, System } from '../core/context.ts'
import { serviceOrigin } from '../core/http/service-origin.ts'
import { isTraced } from '../core/spans.ts'
import type { AppEnv } from './app-env.ts'

/** One request on its way through the pipeline: from a client, or from the MCP server on behalf of one. */
export interface Passage {
  request: Request
  /** Its body, where it was made inside the isolate; else the body is read. */
  bytes?: Uint8Array<ArrayBuffer>
  /** The parameters in its path. */
  params: Record<string, string>
  system: System
  requestId: string
  /** Takes the principal that the hub admitted. Returns the principal that the operation runs as, which can do no more. */
  actAs(principal: Principal): Principal
}

/** The way of a request of a client. */
export const passageOf = (c: Context<AppEnv>): Passage => ({
  request: c.req.raw,
  params: c.req.param(),
  system: c.get('system'),
  requestId: c.get('requestId'),
  actAs: (principal) => {
    c.set('principal', principal)
    return principal
  },
})

/** The context of one request of anybody. */
export function requestContextOf(
  { request, system, requestId }: Pick<Passage, 'request' | 'system' | 'requestId'>,
  url = new URL(request.url),
  route?: string,
): RequestContext {
  const client = clientOf(request, serviceOrigin(system.config, url))
  const traced = isTraced()
  return route === undefined
    ? { ...system, requestId, client, traced }
    : { ...system, requestId, client, traced, route }
}

const clientOf = (request: Request, origin: string): ClientInfo => ({
  ip: request.headers.get('cf-connecting-ip') ?? '0.0.0.0',
  userAgent: request.headers.get('user-agent') ?? '',
  origin,
  ...(pageReads.has(request) ? { pageRead: true } : {}),
})

/** Requests that the portal made to show a page. They are known by identity, which nobody outside the isolate can forge. */
const pageReads = new WeakSet<Request>()

export const markPageRead = (request: Request): void => void pageReads.add(request)
