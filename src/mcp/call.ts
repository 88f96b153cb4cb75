import { countRequest } from '../audit/index.ts'
import { invalidToken, type CalledResource, type PresentedCredential } from '../auth/index.ts'
import { shardOf } from '../core/shards.ts'
import { authContext, type Principal, type RequestContext, type Scope } from '../core/context.ts'
import { isAppError, type AppError } from '../core/errors.ts'
import type { Endpoint } from '../core/http/endpoint.ts'
import type { InnerAnswer } from '../core/http/inner-answer.ts'
import type { AdmitReply } from '../core/ports.ts'
import { utf8 } from '../core/values/encoding.ts'
import { names } from '../identity/index.ts'
import { rateLimited, rateLimitHeaders } from '../limits/index.ts'
import { authorsOf, type Authored, type Reader } from './tools/stored.ts'
import type { Toolset } from './tools/toolset.ts'
import { withinProject } from './within-project.ts'

/** The request that stands for a message, its body, and the parameters in its path. */
export interface InnerRequest {
  request: Request
  bytes: Uint8Array<ArrayBuffer>
  params: Record<string, string>
}

/** The input of an operation: the parts of its request that a message fills. */
export interface Ask {
  params?: Record<string, string>
  query?: Record<string, string | number | readonly string[] | undefined>
  body?: unknown
  headers?: Record<string, string>
}

/** What a tool gets of the answer of its operation: the status, and the body before it is made JSON. */
export type OperationAnswer<Body = unknown> = Omit<InnerAnswer<Body>, 'limits'>

interface Runner {
  run(operation: Endpoint, inner: InnerRequest & { actAs(principal: Principal): Principal }): Promise<InnerAnswer>
  called(principal: Principal): void
}

/** Name under which `/v1/usage` counts messages that touch no data. */
const HANDSHAKE = 'mcp.handshake'

/** One message of an agent: who sent it, the project that it is bound to, and what became of it. */
export class McpCall {
  readonly ctx: RequestContext
  readonly projectId: string | null
  readonly toolset: Toolset
  /** The refusal that answers the whole request instead of the message. */
  ended: AppError | null = null
  limitHeaders: Record<string, string> = {}
  readonly #called: CalledResource
  readonly #credential: PresentedCredential
  readonly #runner: Runner
  #principal: Principal | null = null
  #operated = false

  constructor(
    ctx: RequestContext,
    { projectId, called, toolset }: { projectId: string | null; called: CalledResource; toolset: Toolset },
    credential: PresentedCredential,
    runner: Runner,
  ) {
    this.ctx = ctx
    this.projectId = projectId
    this.toolset = toolset
    this.#called = called
    this.#credential = credential
    this.#runner = runner
  }

  /** The scopes of an access token that the hub has admitted. */
  get held(): readonly Scope[] {
    return this.#principal?.credential.kind === 'access' ? this.#principal.scopes : []
  }

  /**
   * Who reads a result, once its operation has run, with the names of its authors. An operation may have written, so a result
   * without names is better than none.
   */
  async readerOf(authored: readonly Authored[]): Promise<Reader> {
    const principal = this.#principal
    const callerId = principal?.userId ?? null
    const ids = authorsOf(authored, callerId)
    if (!principal || ids.length === 0) return { callerId, names: {} }
    try {
      return { callerId, names: await names(authContext(this.ctx, principal), ids) }
    } catch (error) {
      if (!isAppError(error)) throw error
      this.ctx.log.error({ event: 'mcp.names_failed', request_id: this.ctx.requestId }, error)
      return { callerId, names: {} }
    }
  }

  /**
   * The caller of a message that touches no data. It acquires a permit of the user's reads, and none of its key's five
   * a second: a handshake takes three requests, and the clients give up at a 429 (contract §6).
   */
  async principal(): Promise<Principal> {
    if (this.#principal) return this.#principal
    const { ctx } = this
    const since = ctx.now()
    const reply = await this.#askHub(['read'])
    const { principal, limits } = reply
    const outcome = reply.outcome === 'limited' ? 'limited' : 'ok'
    countRequest(ctx, {
      principal,
      shard: shardOf(principal.routingId),
      operation: HANDSHAKE,
      outcome,
      durationMs: Math.max(0, ctx.now() - since),
      projectId: null,
      pageRead: false,
      committed: false,
    })
    if (reply.outcome === 'limited') throw rateLimited(limits, reply.retryAt, ctx.now())
    this.limitHeaders = rateLimitHeaders(limits)
    return this.#actAs(principal)
  }

  /** Refuses a credential that is not alive. It acquires no permit: which ones the message needs is in its body. */
  async requireAlive(): Promise<void> {
    await this.#askHub([])
  }

  async #askHub(permits: string[]): Promise<Exclude<AdmitReply, { outcome: 'refused' }>> {
    const { kind, hash, routingId } = this.#credential
    const credential = { kind, tokenHash: hash, resource: this.#called.uri }
    const reply = await this.ctx.hub(routingId).admit({ ...credential, permits, further: true })
    if (reply.outcome === 'refused') throw invalidToken(this.#called, kind)
    return reply
  }

  /** Acquires the permit of a message that ran no operation, such as a ping or one that was refused. */
  async settle(): Promise<void> {
    if (!this.#operated) await this.principal()
  }

  /**
   * Runs an operation through its pipeline, which admits the caller and acquires its permits. Answers status and body;
   * throws its `AppError`.
   */
  async run(operation: Endpoint, ask: Ask): Promise<OperationAnswer> {
    this.#operated = true
    try {
      const { status, body, limits } = await this.#runner.run(operation, {
        ...toRequest(operation, ask, this.ctx.client.origin),
        actAs: (principal) => this.#actAs(principal),
      })
      this.limitHeaders = limits
      return { status, body }
    } catch (error) {
      if (isAppError(error)) this.limitHeaders = pick(error.headers, ['RateLimit', 'RateLimit-Policy'])
      throw error
    }
  }

  #actAs(principal: Principal): Principal {
    this.#runner.called(principal)
    this.#principal = this.projectId === null ? principal : withinProject(principal, this.projectId)
    return this.#principal
  }
}

const pick = (headers: Record<string, string>, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => names.includes(name)))

/** The request as a client of the REST API would send it. */
function toRequest(
  { spec }: Endpoint,
  { params = {}, query = {}, body, headers = {} }: Ask,
  origin: string,
): InnerRequest {
  const url = new URL(
    spec.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? '')),
    origin,
  )
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined) url.searchParams.append(name, String(one))
    }
  }
  const request = new Request(url, {
    method: spec.method.toUpperCase(),
    headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
  })
  return { request, params, bytes: body === undefined ? new Uint8Array() : utf8(JSON.stringify(body)) }
}
