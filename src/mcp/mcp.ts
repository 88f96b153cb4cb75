import { Hono, type Context } from 'hono'
import { agentProject, authenticate, calledResource, sendAs } from '../auth/index.ts'
import type { Principal, RequestContext } from '../core/context.ts'
import { AppError, invalid, isAppError, notFound } from '../core/errors.ts'
import type { Endpoint } from '../core/http/endpoint.ts'
import { readBody, requireType } from '../core/http/body.ts'
import { McpCall, type InnerRequest } from './call.ts'
import type { InnerAnswer } from '../core/http/inner-answer.ts'
import { withHeldScopes } from './scope-challenge.ts'
import { readMessage, withinErrorSize } from './message.ts'
import { serve } from './serve.ts'
import { createServer } from './server.ts'
import { toolsetOf } from './tools/toolset.ts'

/** The part of the Worker that the MCP server needs: the context of a request, and the pipeline of an operation. */
export interface McpHost<E extends object> {
  contextOf(c: Context<E>): RequestContext
  /** Runs an operation inside the isolate, as the principal that `actAs` answers. Throws its `AppError`. */
  run(
    c: Context<E>,
    operation: Endpoint,
    inner: InnerRequest & { actAs(principal: Principal): Principal },
  ): Promise<InnerAnswer>
  /** Told who called, for the request log. */
  called(c: Context<E>, principal: Principal): void
}

/** Largest message in bytes: as every body (contract §1). */
const MAX_BYTES = 1024 * 1024
/** A message of at most this many declared bytes is read at once: it takes as little memory as its headers. */
const SHORT_BYTES = 16 * 1024

/** The MCP server (docs/mcp.md): Streamable HTTP without sessions, at `/mcp` and, bound to one project, at `/mcp/:project_id`. */
export function createMcp<E extends object>(host: McpHost<E>): Hono<E> {
  const app = new Hono<E>()
  for (const path of ['/mcp', '/mcp/', '/mcp/:project_id', '/mcp/:project_id/']) {
    app.post(path, (c) => answer(host, c, projectOf(c)))
    app.all(path, (c) => {
      projectOf(c)
      const allow = 'OPTIONS, POST'
      throw new AppError('method_not_allowed', { detail: `This path accepts ${allow}.`, headers: { Allow: allow } })
    })
  }
  return app
}

/** The project that the path names, null for none; 404 where the name is no id. */
function projectOf<E extends object>(c: Context<E>): string | null {
  const project = agentProject(new URL(c.req.url).pathname)
  if (project === undefined) throw notFound('path')
  return project
}

async function answer<E extends object>(host: McpHost<E>, c: Context<E>, projectId: string | null): Promise<Response> {
  const request = c.req.raw
  const ctx = host.contextOf(c)
  const called = calledResource(request, ctx.client.origin)
  const credential = await authenticate(request.headers, ctx.tokens, called)
  const toolset = toolsetOf(c.req.queries('tools') ?? [])
  const call = new McpCall(ctx, { projectId, called, toolset: toolset ?? 'all' }, credential, {
    run: (operation, inner) =>
      host.run(c, operation, { ...inner, request: sendAs(withHeadersOf(request, inner.request), called) }),
    called: (principal) => host.called(c, principal),
  })
  const bytes = await readAdmitted(call, request, () => {
    if (toolset === null) throw invalid('tools', 'invalid_value', 'tools must be search, or absent.')
  })
  try {
    return await withinErrorSize(await reply(call, request, readMessage(bytes)), bytes.byteLength)
  } catch (error) {
    throw isAppError(error) ? withHeldScopes(error, called, call.held) : error
  }
}

/**
 * Reads a message whose credential is alive (contract §1). The hub is asked first, unless the message is short: its
 * operation asks the hub in any case.
 */
async function readAdmitted(
  call: McpCall,
  request: Request,
  requireAddress: () => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const length = request.headers.get('content-length')
  if (length === null || Number(length) > SHORT_BYTES) await call.requireAlive()
  try {
    const bytes = await readBody(request, MAX_BYTES)
    requireAddress()
    requireType(request, 'application/json')
    return bytes
  } catch (error) {
    await call.settle()
    throw error
  }
}

/** Headers that an operation needs: the credential, the client's address for the limits, its name for the audit log. */
const PASSED_ON = ['authorization', 'x-api-key', 'x-session-token', 'cf-connecting-ip', 'user-agent']

function withHeadersOf(outer: Request, inner: Request): Request {
  for (const name of PASSED_ON) {
    const value = outer.headers.get(name)
    if (value !== null) inner.headers.set(name, value)
  }
  return inner
}

async function reply(call: McpCall, request: Request, read: ReturnType<typeof readMessage>): Promise<Response> {
  const response = 'refusal' in read ? read.refusal : await serve(request, read.message, () => createServer(call, read))
  if (call.ended) throw call.ended
  await call.settle()
  const headers = { 'Cache-Control': 'no-store', ...call.limitHeaders }
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
  return response
}
