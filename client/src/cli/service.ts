import { WebSocket } from 'ws'
import { Recollect, type Credential, type MemoryItem } from '../index.ts'
import type { CredentialsFile, Deployment } from './config/credentials.ts'
import { EXIT } from './exit-codes.ts'
import { Failure } from './failure.ts'
import { fingerprint } from './fingerprint.ts'
import type { Io } from './io.ts'
import { accessToken } from './login/access-token.ts'
import { toFailure } from './service-failure.ts'

/** How the calls are authenticated. */
export type Method = 'environment' | 'key' | 'login'

/** A deployment, and who calls it. Failures are those of a command line. */
export class Service {
  readonly url: string
  readonly method: Method
  /** Tells two accounts apart without a request. */
  readonly account: string
  readonly client: Recollect
  readonly #interrupted: AbortSignal

  constructor(io: Io, url: string, { method, account, credential }: Access) {
    this.url = url
    this.method = method
    this.account = account
    this.#interrupted = io.interrupted
    this.client = new Recollect({
      baseUrl: url,
      credential,
      openSocket: (address, protocols) => new WebSocket(address, protocols),
    })
  }

  /** Runs one call of the client. Ctrl-C ends it. */
  async call<T>(run: (client: Recollect, options: { signal: AbortSignal }) => PromiseLike<T>): Promise<T> {
    try {
      return await run(this.client, { signal: this.#interrupted })
    } catch (error) {
      throw toFailure(error, this.url)
    }
  }

  /** Sends lines of an import. Ctrl-C does not end a call: the import stops between two calls. */
  async importLines(body: string, { project, guard, idempotencyKey }: ImportOptions) {
    const query = {
      ...(project === undefined ? {} : { project_id: project }),
      ...(guard === undefined ? {} : { guard }),
    }
    try {
      return await this.client.request('POST', '/v1/memory/import', { query, body, idempotencyKey })
    } catch (error) {
      throw toFailure(error, this.url)
    }
  }

  /** Whether an item passes the filters. A page may be empty although another one follows. */
  async hasItem(of: Items): Promise<boolean> {
    for (let cursor: string | null | undefined; cursor !== null;) {
      const query = { ...queryOf(of), limit: 1, ...(cursor === undefined ? {} : { cursor }) }
      const page = await this.call((client, call) => client.memory.list(query, call))
      if (page.data.length > 0) return true
      cursor = page.next_cursor
    }
    return false
  }

  /** The items that pass the filters, as they come. */
  items(of: Items): AsyncGenerator<Found, void> {
    return this.export(queryOf(of))
  }

  /** Deletes the items that have one of these ids, or counts them. Returns their number. */
  async deleteItems({ project, namespace, customIds, dryRun }: Deletion): Promise<number> {
    const body = {
      context: { ...(project === '' ? {} : { project_id: project }), ...(namespace === null ? {} : { namespace }) },
      filters: { custom_id: { in: [...customIds] } },
      dry_run: dryRun,
    }
    return (await this.call((client, call) => client.memory.deleteMany(body, call))).deleted
  }

  /** The items of an export as they come. */
  async *export(query: Record<string, string | string[]>): AsyncGenerator<MemoryItem, void> {
    try {
      yield* this.client.memory.export(query, { signal: this.#interrupted })
    } catch (error) {
      throw toFailure(error, this.url)
    }
  }
}

/** Items of one project. */
interface Place {
  /** Empty: that of the account. */
  project: string
  /** null: the default one. */
  namespace: string | null
}

interface Items extends Place {
  filters: Record<string, unknown>
}

/** What an import looks at. */
type Found = Pick<MemoryItem, 'custom_id'> & { content: Pick<MemoryItem['content'], 'metadata'> }

interface Deletion extends Place {
  customIds: readonly string[]
  dryRun: boolean
}

const queryOf = ({ project, namespace, filters }: Items): Record<string, string> => ({
  ...(project === '' ? {} : { project_id: project }),
  ...(namespace === null ? {} : { namespace }),
  filters: JSON.stringify(filters),
})

/** The calls that an import needs. */
export type ImportTarget = Pick<Service, 'url' | 'account' | 'importLines' | 'hasItem' | 'items' | 'deleteItems'>

/** What an import asks for in each of its calls. */
export interface ImportOptions {
  project?: string
  /** The least that happens to secrets in the lines. */
  guard?: Guard | undefined
  idempotencyKey: string
}

export const GUARDS = ['flag', 'redact', 'refuse'] as const
export type Guard = (typeof GUARDS)[number]

/** The calls that an export needs. */
export type ExportOrigin = Pick<Service, 'url' | 'account' | 'export'>

interface Access {
  method: Method
  account: string
  credential: Credential
}

/** The service at `url` with the key of the environment, else with what `login` keeps. */
export async function openService(io: Io, file: CredentialsFile, url: string): Promise<Service> {
  return new Service(io, url, accessOf(io, file, url, await file.deployment(url)))
}

function accessOf(io: Io, file: CredentialsFile, url: string, deployment: Deployment): Access {
  const key = io.env['RECOLLECT_API_KEY']
  if (key) return { method: 'environment', account: fingerprint(readKey(key)), credential: { apiKey: readKey(key) } }
  if (deployment.api_key !== undefined) {
    const { api_key } = deployment
    return { method: 'key', account: fingerprint(api_key), credential: { apiKey: api_key } }
  }
  if (deployment.oauth) {
    const source = (refused?: string) => accessToken(io, file, url, refused)
    return { method: 'login', account: deployment.user?.id ?? '', credential: { accessToken: source } }
  }
  throw new Failure(EXIT.unauthenticated, `You are not logged in at ${url}.`, {
    hint: 'Log in with: recollect login. In a script, set RECOLLECT_API_KEY.',
  })
}

/** An API key without the space around it. The message of a refusal does not repeat the text. */
export function readKey(text: string): string {
  const key = text.trim()
  if (/^rck_(live|test)_[A-Za-z0-9]+$/.test(key)) return key
  throw new Failure(EXIT.usage, 'That is not an API key. An API key begins with rck_live_ or rck_test_.')
}
