import { KeptDocument } from '../../src/backends/client-documents/kept-document.ts'
import { decide } from '../../src/auth/oauth/authorize/consent.ts'
import {
  readAuthorizationRequest,
  type AuthorizationStep,
} from '../../src/auth/oauth/authorize/authorization-request.ts'
import type { AuthContext } from '../../src/core/context.ts'
import { ResolverSilent } from '../../src/core/http/resolver-silent.ts'
import type { ClientDocuments } from '../../src/core/ports.ts'
import {
  authorizeQuery,
  CHALLENGE,
  newPerson,
  ORIGIN,
  redeem,
  requestContext,
  VERIFIER,
  type App,
  type Person,
} from './oauth.ts'
import { system } from './world.ts'

/** A public address, as a resolver answers it. */
export const PUBLIC_ADDRESS = '93.184.216.34'

export interface DocumentHost extends ClientDocuments {
  /** The addresses that were fetched, in order. */
  fetched: string[]
  /** What each address answers; an absent one cannot be reached. */
  answers: Map<string, () => Response | Promise<Response>>
  /** What the names of hosts resolve to. */
  addresses: string[]
  /** The resolver does not answer. */
  resolverSilent: boolean
}

/** Hosts of metadata documents, with the real reader before them. */
export function documentHost(now: () => number = () => system.now()): DocumentHost {
  const objects = new Map<string, KeptDocument>()
  const host: DocumentHost = {
    fetched: [],
    answers: new Map(),
    addresses: [PUBLIC_ADDRESS],
    resolverSilent: false,
    kept: (url) => objectOf(url).kept(),
    fetch: (url, allowPrivate) => objectOf(url).fetch(url, allowPrivate),
  }
  const deps = {
    now,
    fetch: async (input: RequestInfo | URL) => {
      const { url } = new Request(input)
      host.fetched.push(url)
      const answer = host.answers.get(url)
      if (!answer) throw new TypeError('network down')
      return answer()
    },
    resolver: {
      addresses: async () => {
        if (host.resolverSilent) throw new ResolverSilent('down')
        return host.addresses
      },
    },
  }
  const objectOf = (url: string): KeptDocument => {
    let object = objects.get(url)
    if (!object) objects.set(url, (object = new KeptDocument(deps)))
    return object
  }
  return host
}

/** A document as its host serves it, fresh for an hour unless told otherwise. */
export const serving =
  (document: unknown, headers: Record<string, string> = { 'Cache-Control': 'max-age=3600' }) =>
  (): Response =>
    new Response(typeof document === 'string' ? document : JSON.stringify(document), { headers })

let address = 0

/** The context of a request of a signed-in person, from an address of its own. */
export async function signedIn(
  person: Person,
  changes: Parameters<typeof requestContext>[0] = {},
): Promise<AuthContext> {
  const token = await system.tokens.parse(person.session['X-Session-Token'])
  const reply = await system.hub(person.routingId).admit({ kind: 'session', tokenHash: token?.hash ?? '', permits: [] })
  if (reply.outcome !== 'admitted') throw new Error(reply.outcome)
  address += 1
  const client = { ip: `2001:db8:d0c0:${address.toString(16)}::1`, userAgent: 'test', origin: ORIGIN }
  return requestContext({ client, ...changes }, reply.principal)
}

export const readQuery = (ctx: AuthContext, query: string): Promise<AuthorizationStep> =>
  readAuthorizationRequest(ctx, new URLSearchParams(query))

/** Reads the request, approves it, and answers where the browser goes. */
export async function approveAs(ctx: AuthContext, query: string): Promise<URL> {
  const next = await readQuery(ctx, query)
  if (next.step !== 'consent') throw new Error(JSON.stringify(next))
  return new URL(await decide(ctx, next.request, true))
}

export const CALLBACK = 'http://localhost:3118/callback'
let count = 0
export const newUrl = (): string => `https://agent.example/${(count += 1)}/${crypto.randomUUID()}.json`

export const documentOf = (url: string, changes: object = {}) => ({
  client_id: url,
  client_name: 'Agent',
  redirect_uris: ['http://localhost/callback'],
  token_endpoint_auth_method: 'none',
  ...changes,
})

export const queryFor = (client_id: string, changes: Record<string, string | null> = {}): string =>
  authorizeQuery(
    { client_id },
    {
      redirect_uri: CALLBACK,
      resource: `${ORIGIN}/mcp`,
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
      ...changes,
    },
  )

/** A person, an agent that is a document, and the host of that document. */
export async function newAgent(changes: object = {}, headers?: Record<string, string>) {
  const [person, url, host] = [await newPerson(), newUrl(), documentHost()]
  host.answers.set(url, serving(documentOf(url, changes), headers))
  const ctx = await signedIn(person, { clientDocuments: host })
  return { person, url, host, ctx, app: { client_id: url, client_secret: '' } satisfies App }
}

export const tokensOf = async ({ ctx, url, app }: Agent) => {
  const code = (await approveAs(ctx, queryFor(url))).searchParams.get('code') ?? ''
  return redeem(app, code, { redirect_uri: CALLBACK, code_verifier: VERIFIER })
}

/** An agent that is a metadata document, and the person who uses it. */
export type Agent = Awaited<ReturnType<typeof newAgent>>
