import type { Scope } from '../../core/context.ts'
import { OAuthError } from '../../core/http/oauth-error.ts'
import { isId } from '../../core/values/ids.ts'

/**
 * Protected resources of this service (RFC 9728) and tokens that are bound to one of them (RFC 8707). The agent paths are
 * resources of their own: `{base}/mcp`, and `{base}/mcp/prj_…` for each project. Everything else is the API at `{base}`.
 */

export const AGENT_PATH = '/mcp'
/** What the metadata and the 401 of an agent path name: enough for every tool. */
export const AGENT_SCOPES: readonly Scope[] = ['read:memory', 'write:memory', 'read:projects', 'read:profile']

/** What an address ends with at which `search` and `fetch` alone are listed (contract §9). The resource is that of its path. */
export const SEARCH_TOOLS = '?tools=search'

export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource'

/** The resource that a request calls. */
export interface CalledResource {
  /** Its identifier without a final slash (RFC 8707 §2); null: the API. */
  uri: string | null
  metadataUrl: string
  /** Named in a 401, so that a client asks for them at once; empty: none are named. */
  scopes: readonly Scope[]
}

/** The project of `/mcp/prj_…`, null for `/mcp`, undefined for every other path. A final slash changes nothing. */
export function agentProject(pathname: string): string | null | undefined {
  const path = pathname.endsWith('/') ? pathname.slice(0, -1) : pathname
  if (path === AGENT_PATH) return null
  const id = path.startsWith(`${AGENT_PATH}/`) ? path.slice(AGENT_PATH.length + 1) : ''
  return isId('prj', id) ? id : undefined
}

const uriOf = (origin: string, project: string | null): string =>
  project === null ? `${origin}${AGENT_PATH}` : `${origin}${AGENT_PATH}/${project}`

const outer = new WeakMap<Request, CalledResource>()

/** Lets a request that an agent path sends on inside the isolate count as a call of that path. */
export function sendAs(request: Request, called: CalledResource): Request {
  outer.set(request, called)
  return request
}

/** The resource of a request: of its path, or of the agent path that sent it on. */
export function calledResource(request: Request, origin: string): CalledResource {
  return outer.get(request) ?? resourceOfUrl(origin, new URL(request.url))
}

/** The API as a whole. */
export const apiResource = (origin: string): CalledResource => ({
  uri: null,
  metadataUrl: `${origin}${RESOURCE_METADATA_PATH}`,
  scopes: [],
})

function resourceOfUrl(origin: string, { pathname, search }: URL): CalledResource {
  const project = agentProject(pathname)
  if (project === undefined) return apiResource(origin)
  return {
    uri: uriOf(origin, project),
    metadataUrl: `${origin}${RESOURCE_METADATA_PATH}${pathname}${search === SEARCH_TOOLS ? search : ''}`,
    scopes: AGENT_SCOPES,
  }
}

/** What a stored token or grant is bound to. One from before agent paths may name any path of the API: it is bound to nothing. */
export function boundTo(stored: string | null): string | null {
  const url = stored === null ? null : URL.parse(stored)
  const project = url ? agentProject(url.pathname) : undefined
  return url === null || project === undefined ? null : uriOf(url.origin, project)
}

/** The only project that a stored token or grant opens; null: it is bound to none. */
export function boundProject(stored: string | null): string | null {
  const url = stored === null ? null : URL.parse(stored)
  return (url && agentProject(url.pathname)) ?? null
}

/**
 * Whether a token that is bound to `bound` opens the resource `called`; null is the API, or no bond. A token for
 * `{base}/mcp` opens the paths of its projects too, and one without a bond opens everything.
 */
export const opensResource = (bound: string | null, called: string | null): boolean =>
  bound === null ||
  bound === called ||
  (called !== null && bound.endsWith(AGENT_PATH) && called.startsWith(`${bound}/`))

/**
 * The resource that the `resource` parameters of a request name: the widest of them, null for the API or for none.
 * Undefined where one is no resource of this service, or where they name two projects.
 */
export function namedResource(uris: readonly string[], origin: string): string | null | undefined {
  let widest: string | null | undefined
  for (const uri of uris) {
    const named = ownResource(uri, origin)
    if (named === undefined) return undefined
    if (widest === undefined || opensResource(named, widest)) widest = named
    else if (!opensResource(widest, named)) return undefined
  }
  return widest ?? null
}

/**
 * The resource of a token that a token request asks for (RFC 8707 §2.2): that of its grant, or a narrower one.
 * Undefined where the grant does not cover it.
 */
export function narrowedResource(
  bound: string | null,
  uris: readonly string[] | undefined,
  origin: string,
): string | null | undefined {
  if (uris === undefined || uris.length === 0) return bound
  const named = namedResource(uris, origin)
  return named !== undefined && opensResource(bound, named) ? named : undefined
}

export const resourceNotGranted = (): OAuthError =>
  new OAuthError('invalid_target', 'The resource is not part of this service, or was not granted.')

/** Compared as text, except for scheme and host, whose case means nothing (RFC 3986 §6.2.2.1). */
function ownResource(written: string, origin: string): string | null | undefined {
  const uri = written.replace(/^[a-z]+:\/\/[^/?#]*/i, (start) => start.toLowerCase())
  if (uri === origin || uri === `${origin}/`) return null
  const path = uri.endsWith(SEARCH_TOOLS) ? uri.slice(0, -SEARCH_TOOLS.length) : uri
  const project = path.startsWith(`${origin}/`) ? agentProject(path.slice(origin.length)) : undefined
  return project === undefined ? undefined : uriOf(origin, project)
}
