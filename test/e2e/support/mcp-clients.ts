import * as newer from '@modelcontextprotocol/client'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

const NAME = { name: 'test client', version: '1.0.0' }

/** One client of an MCP server, whichever package it comes from. */
export interface Connection {
  connect(): Promise<void>
  close(): Promise<void>
  /** The revision that was agreed upon. */
  revision(): string | undefined
  tools(): Promise<string[]>
  use(name: string, args: Record<string, unknown>): Promise<{ isError: boolean; result: any }>
  read(uri: string): Promise<string>
  prompt(name: string, args: Record<string, string>): Promise<string>
  finishAuth(code: string, iss: string): Promise<void>
}

export interface Way {
  headers?: Record<string, string>
  provider?: Provider
}

/** What a client keeps of its authorization, and where it sends the person. It asks for no scope by itself. */
export class Provider {
  readonly redirectUrl: string
  readonly clientMetadata: { client_name: string; redirect_uris: string[]; token_endpoint_auth_method: string }
  /** The address of its metadata document; undefined: it registers itself. */
  readonly clientMetadataUrl?: string
  info: any
  granted: any
  verifier = ''
  sentTo: URL | undefined

  constructor(redirectUrl: string, clientMetadataUrl?: string) {
    this.redirectUrl = redirectUrl
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl
    this.clientMetadata = { client_name: 'Agent', redirect_uris: [redirectUrl], token_endpoint_auth_method: 'none' }
  }

  state = () => 'state-1'
  clientInformation = () => this.info
  saveClientInformation = (info: unknown) => void (this.info = info)
  tokens = () => this.granted
  saveTokens = (tokens: unknown) => void (this.granted = tokens)
  redirectToAuthorization = (url: URL) => void (this.sentTo = url)
  saveCodeVerifier = (verifier: string) => void (this.verifier = verifier)
  codeVerifier = () => this.verifier
  invalidateCredentials = (scope: string) => {
    if (scope === 'all' || scope === 'tokens') this.granted = undefined
  }
}

function withNewer(mode: newer.VersionNegotiationMode | undefined, url: string, way: Way): Connection {
  const client = new newer.Client(NAME, mode === undefined ? {} : { versionNegotiation: { mode } })
  const transport = new newer.StreamableHTTPClientTransport(new URL(url), {
    ...(way.headers ? { requestInit: { headers: way.headers } } : {}),
    ...(way.provider ? { authProvider: way.provider } : {}),
  })
  return {
    connect: () => client.connect(transport),
    close: () => client.close(),
    revision: () => client.getNegotiatedProtocolVersion(),
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    use: async (name, args) => toAnswer(await client.callTool({ name, arguments: args })),
    read: async (uri) => textOf((await client.readResource({ uri })).contents[0]),
    prompt: async (name, args) => JSON.stringify(await client.getPrompt({ name, arguments: args })),
    finishAuth: (code, iss) => transport.finishAuth(new URLSearchParams({ code, iss, state: 'state-1' })),
  }
}

function withOlder(url: string, way: Way): Connection {
  const client = new OlderClient(NAME)
  const transport = new OlderTransport(new URL(url), {
    ...(way.headers ? { requestInit: { headers: way.headers } } : {}),
    ...(way.provider ? { authProvider: way.provider } : {}),
  })
  return {
    connect: () => client.connect(transport),
    close: () => client.close(),
    revision: () => transport.protocolVersion,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    use: async (name, args) => toAnswer(await client.callTool({ name, arguments: args })),
    read: async (uri) => textOf((await client.readResource({ uri })).contents[0]),
    prompt: async (name, args) => JSON.stringify(await client.getPrompt({ name, arguments: args })),
    finishAuth: (code) => transport.finishAuth(code),
  }
}

const toAnswer = (answer: any) => ({ isError: answer.isError === true, result: answer.structuredContent })
const textOf = (contents: any): string => contents.text

const MODERN = '2026-07-28'
/** Both packages, the newer one with and without the revision of 2026-07-28. */
export const CLIENTS: { name: string; revision: string; open: (url: string, way: Way) => Connection }[] = [
  { name: 'client 2.4', revision: '2025-11-25', open: (url, way) => withNewer(undefined, url, way) },
  { name: 'client 2.4, which negotiates', revision: MODERN, open: (url, way) => withNewer('auto', url, way) },
  { name: 'client 2.4, pinned', revision: MODERN, open: (url, way) => withNewer({ pin: MODERN }, url, way) },
  { name: 'sdk 1.32', revision: '2025-11-25', open: withOlder },
]
