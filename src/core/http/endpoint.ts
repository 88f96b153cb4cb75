import type { z } from 'zod'
import type { AuthContext, OperatorContext, RequestContext, Scope } from '../context.ts'
import type { ErrorCode } from '../errors.ts'
import type { JsonSchema } from './json-schema.ts'
import type { Idempotency } from '../idempotency/replay.ts'
import type { OAuthErrorCode } from './oauth-error.ts'
import type { AdmitRequest } from '../ports.ts'

/**
 * An endpoint is data: its declaration holds path, scope, limit, audit action and schemas. One pipeline runs them in one
 * order (`src/pipeline/run.ts`). Router, OpenAPI document and matrix tests read the same list of declarations.
 */
export interface EndpointSpec {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** OpenAPI form: `/v1/projects/{id}`. */
  path: string
  /** Verb and noun, such as `storeMemory`. It is unique and never changes: generated clients name their method after it. */
  operationId: string
  /** The path with a final slash is the same one. */
  finalSlash?: true
  tag: string
  /** Unique too. */
  summary: string
  description?: string
  /** One scope of a list is enough; null: any authenticated caller. Ignored where `auth` is `none`. */
  scope: Scope | readonly Scope[] | null
  /**
   * `none`: anybody; `session`: a session token only (403 `session_required`); `client`: an OAuth client, which the
   * operation authenticates and charges itself (RFC 6749 §2.3); `operator`: a key of the operator. Default: any of the
   * three methods.
   */
  auth?: 'none' | 'any' | 'session' | 'client' | 'operator'
  /** `oauth`: failures are RFC 6749 §5.2 bodies and unknown parameters are ignored (§3.1). Default: RFC 9457. */
  errorStyle?: 'problem' | 'oauth'
  /** A further scope that this very request needs, such as `read:memory` for the channel `memory`. */
  scopeFor?: (query: URLSearchParams) => Scope | null
  /** The same for its body, as the schema has read it: `read:memory` for `deduplicate`. */
  scopeForBody?: (body: never) => Scope | null
  /** Without this scope a caller sees a resource that was there before the request only in its short form (contract §2). */
  reads?: Scope
  /** A WebSocket upgrade: 426 without one, and the credential may stand in the query or the subprotocol too. */
  upgrade?: true
  /** Name in `core/limits.ts`, or null for none. */
  limit: string | null
  /** Called for a request that `limit` refused before it was read, for the audit log. It bounds its own cost. */
  onLimited?: (ctx: RequestContext, request: Request) => Promise<void>
  /** Another limit applies where the query has this parameter (contract §6: list with `q`). */
  limitWith?: { parameter: string; limit: string }
  /** A refused call counts against this limit instead of `limit` (contract §5: publish, subscribe). */
  limitWhenRefused?: string
  /** Action in the audit log; null if the endpoint shows and changes nothing of a tenant. */
  audit: string | null
  params?: z.ZodObject
  query?: z.ZodObject
  /** A page ignores its query (contract §1). */
  ignoresQuery?: true
  body?: z.ZodType
  /** How `body` arrives. Default `json`. An optional JSON body is declared with a schema that accepts `undefined`. */
  bodyType?: 'json' | 'form' | 'ndjson'
  /** How the JSON of the body is parsed. Default `parseJson`. */
  parse?: (json: string) => unknown
  /** Largest body in bytes. Default 1 MiB (contract §1). */
  maxBytes?: number
  /** Answers by status; the first is what a plain result is sent with. `null`: no body. */
  reply: Record<number, z.ZodType | null>
  replyType?: 'json' | 'ndjson' | 'html' | 'text'
  /** What a request with `Accept: application/x-ndjson` is answered instead. */
  replyLines?: z.ZodType
  /** Error codes besides those that follow from the declaration itself. */
  errors?: readonly ErrorCode[]
  /** With `errorStyle: 'oauth'`: the codes of its §5.2 bodies, besides those of limits and outages. */
  oauthErrors?: readonly OAuthErrorCode[]
  /** What `If-None-Match: *` of a write does. A write that takes it takes no `If-Match`. */
  ifNoneMatch?: string
  /** A POST that creates and so takes an `Idempotency-Key`. */
  idempotent?: Idempotency
  /** Why a request of the declared schemas may still be 422, by the code of the field: what no schema says. */
  refusals?: Readonly<Record<string, string>>
  /** Schemas of the document by name, where the declared schemas refer to some that no validator is made of. */
  components?: Readonly<Record<string, JsonSchema>>
  /** Where an answer leads: the operations that take what it names, of which each is told once. */
  links?: readonly AnswerLink[]
  example: Example
}

/**
 * One request and its answers, as the reference shows them. They fit the schemas beside them (test/app/examples.test.ts), and
 * a test sends each to the service (test/e2e/examples.test.ts). Ids are those of `core/sample.ts`.
 */
export interface Example {
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string | number>>
  body?: unknown
  /** The answer. */
  reply?: unknown
  /** The answer of a status that looks otherwise. */
  replies?: Readonly<Record<number, unknown>>
  /** What `replyLines` look like. */
  lines?: string
}

/** An operation, and for each of its parameters a runtime expression (OpenAPI 3.1 §4.8.20.4): `$response.body#/id`. */
export interface AnswerLink {
  to: string
  parameters: Readonly<Record<string, string>>
}

/** Links to operations that take the same parameters. */
export const linksTo = (
  operations: readonly string[],
  parameters: Readonly<Record<string, string>> = { id: '$response.body#/id' },
): AnswerLink[] => operations.map((to) => ({ to, parameters }))

/** The path of a declaration as the router, logs, figures and spans write it: `/v1/projects/:id`. */
export const routePattern = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

/** The scopes of which a credential needs one; none where it needs no scope. */
export const scopesOf = ({ scope }: Pick<EndpointSpec, 'scope'>): readonly Scope[] =>
  scope === null ? [] : typeof scope === 'string' ? [scope] : scope

type Out<T> = T extends z.ZodType ? z.output<T> : undefined

/** A declaration of an endpoint that has no principal: anybody calls it, or an OAuth client. */
export type PublicSpec = EndpointSpec & { auth: 'none' | 'client' }

/** The declaration that the health checks, the documents and the pages of the service share: anybody reads them. */
export const PUBLIC_READ = {
  method: 'get',
  tag: 'service',
  auth: 'none',
  scope: null,
  limit: null,
  audit: null,
} as const

/** A declaration of an endpoint that the operator of the deployment calls (contract §2). */
export type OperatorSpec = EndpointSpec & { auth: 'operator' }

/** Kind and hash of the caller's token and the resource that it called, for what outlives the request. */
export type PresentedToken = Pick<AdmitRequest, 'kind' | 'tokenHash' | 'resource'>

/** Acquires further permits of the endpoint's limit for a request that costs more than others; 429 where there are none. */
export type Charge = (permits: number) => Promise<void>

/** Who calls: where nobody authenticates, the context has no principal and there is no token. */
type CallerOf<S> = S extends PublicSpec
  ? { ctx: RequestContext; credential: null }
  : S extends OperatorSpec
    ? { ctx: OperatorContext; credential: null }
    : { ctx: AuthContext; credential: PresentedToken; charge: Charge }

export type HandlerInput<S extends EndpointSpec> = CallerOf<S> & {
  params: Out<S['params']>
  query: Out<S['query']>
  body: Out<S['body']>
  request: Request
}

/** An answer with a status or headers of its own. */
export class Reply<T = unknown> {
  readonly status: number
  readonly body: T
  readonly headers: Record<string, string>
  constructor(status: number, body: T, headers: Record<string, string> = {}) {
    this.status = status
    this.body = body
    this.headers = headers
  }
}

/** What was read of a request, validated by the schemas of the declaration. */
export interface ValidInput {
  params: unknown
  query: unknown
  body: unknown
  request: Request
}

interface Declared<S extends EndpointSpec> {
  readonly spec: S
  /** Answers a result, a `Reply` or a `Response`. */
  readonly handle: (input: CallerOf<S> & ValidInput) => unknown
}

export type PublicEndpoint = Declared<PublicSpec>
export type OperatorEndpoint = Declared<OperatorSpec>
export type AuthenticatedEndpoint = Declared<EndpointSpec>
export type Endpoint = PublicEndpoint | OperatorEndpoint | AuthenticatedEndpoint

export const isOperator = (one: Endpoint): one is OperatorEndpoint => one.spec.auth === 'operator'
export const isPublic = (one: Endpoint): one is PublicEndpoint => one.spec.auth === 'none' || one.spec.auth === 'client'

/** Declares an endpoint; `handle` binds the operation, which knows no HTTP. */
export function endpoint<const S extends EndpointSpec>(
  spec: S,
): { handle(handler: (input: HandlerInput<S>) => unknown): Endpoint } {
  // The pipeline validates params, query and body by the schemas of `spec` before it calls the handler.
  return { handle: (handler) => ({ spec, handle: handler as Endpoint['handle'] }) as Endpoint }
}
