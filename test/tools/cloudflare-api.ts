import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'

interface Call {
  method: string
  /** Below `/accounts/:id`. */
  path: string
  query: URLSearchParams
  body: string
}

/** The `result` of a response, or the status of a refusal. */
type Answer = object | number

const PAGE = 10
const SERVICE = {
  id: 'recollect',
  default_environment: { environment: 'production', script: { last_deployed_from: 'wrangler' } },
}
const ACCOUNT = { id: 'acc', name: 'Example' }

/**
 * The part of Cloudflare's API that a deployment uses, with one account, in the shapes of its documentation. The real
 * wrangler calls it. Its databases run SQL, so migrations must apply.
 */
export class CloudflareApi {
  readonly calls: Call[] = []
  readonly databases = new Map<string, DatabaseSync>()
  /** Where each database runs, by its name. */
  readonly regions = new Map<string, string>()
  readonly queues: string[] = []
  readonly indexes = new Map<string, { dimensions: number; properties: Map<string, string> }>()
  readonly secrets = new Map<string, string>()
  /** The uploaded settings of the Worker; null before the first deployment. */
  worker: { bindings: { type: string; name: string; text?: string; bucket_name?: string }[] } | null = null
  readonly #server = createServer((request, response) => void this.#serve(request, response))

  /** Returns the environment that makes wrangler call this API. */
  async start(): Promise<NodeJS.ProcessEnv> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    const { port } = this.#server.address() as AddressInfo
    return {
      CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${port}`,
      CLOUDFLARE_API_TOKEN: 'a-token-of-this-test',
      CLOUDFLARE_ACCOUNT_ID: 'acc',
    }
  }

  stop(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const url = new URL(request.url ?? '', 'http://api')
    const path = url.pathname.replace('/accounts/acc', '')
    const call: Call = { method: request.method ?? '', path, query: url.searchParams, body }
    this.calls.push(call)
    const answer = this.#answer(call)
    response.statusCode = typeof answer === 'number' ? answer : 200
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify(envelope(answer)))
  }

  #answer(call: Call): Answer {
    const { path } = call
    if (path === '/accounts') return [ACCOUNT]
    if (path === '/memberships') return [{ id: 'm', account: ACCOUNT, roles: [] }]
    if (path.startsWith('/d1/')) return this.#d1(call)
    if (path.startsWith('/queues')) return this.#queue(call)
    if (path.startsWith('/vectorize/')) return this.#vectorize(call)
    if (path.startsWith('/workers/')) return this.#workers(call)
    return path === '/user' || path === '/user/tokens/verify' ? { id: 'usr', status: 'active' } : []
  }

  #d1({ method, path, body }: Call): Answer {
    const [, , , name, verb] = path.split('/')
    if (name === undefined) {
      if (method === 'GET') return [...this.databases.keys()].map((one) => ({ name: one, uuid: `uuid-of-${one}` }))
      const { name: made, primary_location_hint: hint } = JSON.parse(body) as Record<string, string>
      if (made === undefined || this.databases.has(made)) return 400
      this.databases.set(made, new DatabaseSync(':memory:'))
      if (hint !== undefined) this.regions.set(made, hint)
      return { name: made, uuid: `uuid-of-${made}` }
    }
    const database = this.databases.get(name.replace('uuid-of-', ''))
    if (!database || verb !== 'query') return 404
    const { sql } = JSON.parse(body) as { sql: string }
    if (!/^\s*select/i.test(sql)) database.exec(sql)
    const results = /^\s*select/i.test(sql) ? database.prepare(sql).all() : []
    const region = this.regions.get(name.replace('uuid-of-', ''))
    const served = region === undefined ? {} : { served_by_region: region.toUpperCase(), served_by_primary: true }
    return [{ results, success: true, meta: { duration: 1, ...served } }]
  }

  #queue({ method, path, query, body }: Call): Answer {
    if (path !== '/queues') return {}
    if (method === 'POST') {
      const { queue_name: name } = JSON.parse(body) as { queue_name: string }
      if (this.queues.includes(name)) return 409
      this.queues.push(name)
      return queueOf(name)
    }
    const names = query.getAll('name')
    const wanted = this.queues.filter((name) => names.length === 0 || names.includes(name))
    const page = Number(query.get('page') ?? 1)
    return wanted.slice((page - 1) * PAGE, page * PAGE).map(queueOf)
  }

  #vectorize({ method, path, body }: Call): Answer {
    const [, , , , name = '', , verb] = path.split('/')
    if (name === '' && method === 'GET')
      return [...this.indexes].map(([one, { dimensions }]) => indexOf(one, dimensions))
    if (name === '') {
      const { name: made, config } = JSON.parse(body) as { name: string; config: { dimensions: number } }
      if (this.indexes.has(made)) return 409
      this.indexes.set(made, { dimensions: config.dimensions, properties: new Map() })
      return indexOf(made, config.dimensions)
    }
    const properties = this.indexes.get(name)?.properties
    if (!properties) return 404
    if (verb === 'create') {
      const { propertyName, indexType } = JSON.parse(body) as { propertyName: string; indexType: string }
      properties.set(propertyName, indexType)
      return { mutationId: 'm' }
    }
    return { metadataIndexes: [...properties].map(([propertyName, indexType]) => ({ propertyName, indexType })) }
  }

  #workers({ method, path, body }: Call): Answer {
    // Secrets need a Worker, so wrangler creates an empty one first.
    if (path.includes('/scripts/recollect/secrets') && !this.worker) return 404
    if (path.endsWith('/secrets-bulk')) {
      const { secrets } = JSON.parse(body) as { secrets: Record<string, { text: string }> }
      for (const [name, { text }] of Object.entries(secrets)) this.secrets.set(name, text)
      return {}
    }
    if (path.endsWith('/secrets')) return [...this.secrets.keys()].map((name) => ({ name, type: 'secret_text' }))
    if (path.endsWith('/assets-upload-session')) return { jwt: 'jwt', buckets: [] }
    if (path.startsWith('/workers/workers/')) return { subdomain: { enabled: true, previews_enabled: false } }
    if (path === '/workers/subdomain') return { subdomain: 'example' }
    if (path.endsWith('/subdomain')) return { enabled: true, previews_enabled: false }
    if (method === 'PUT' && /\/(scripts|services)\/recollect(\/|$)/.test(path) && body.includes('name="metadata"')) {
      const [, metadata = '{}'] = /name="metadata"[^{]*(\{.*\})\r\n/.exec(body) ?? []
      this.worker = JSON.parse(metadata) as CloudflareApi['worker']
      return { id: 'recollect', etag: 'e', deployment_id: 'd', startup_time_ms: 5 }
    }
    if (method === 'GET' && !this.worker) return 404
    if (path.endsWith('/deployments'))
      return { deployments: this.worker ? [{ id: 'd', versions: [{ version_id: 'v1', percentage: 100 }] }] : [] }
    if (path.endsWith('/versions/v1')) return { id: 'v1', resources: { bindings: this.worker?.bindings ?? [] } }
    if (path.endsWith('/settings')) return { bindings: this.worker?.bindings ?? [] }
    if (path === '/workers/scripts') return [{ id: 'recollect' }]
    return path === '/workers/services/recollect' ? SERVICE : {}
  }
}

const queueOf = (name: string) => ({
  queue_id: Buffer.from(name).toString('hex').padEnd(32, '0').slice(-32),
  queue_name: name,
  created_on: '2026-11-21T09:30:00Z',
  producers: [],
  consumers: [],
  producers_total_count: 1,
  consumers_total_count: 1,
})

const indexOf = (name: string, dimensions: number) => ({ name, config: { dimensions, metric: 'cosine' } })

const CODES: Record<number, number> = { 404: 10_007 }

const envelope = (answer: Answer) =>
  typeof answer === 'number'
    ? { success: false, errors: [{ code: CODES[answer] ?? 10_000, message: 'refused' }], messages: [], result: null }
    : {
        success: true,
        errors: [],
        messages: [],
        result: answer,
        result_info: { page: 1, per_page: 10, count: 0, total_count: 0 },
      }
