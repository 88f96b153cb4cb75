import type { Io } from '../io.ts'
import { EXIT } from '../exit-codes.ts'
import { Failure } from '../failure.ts'
import { withLock } from './lock.ts'
import { credentialsPath } from './paths.ts'
import { readPrivate, writePrivate } from './private-file.ts'

export interface OAuthLogin {
  access_token: string
  refresh_token: string
  /** Milliseconds since 1970. */
  expires_at: number
  scope: string
}

/** The stored data of one deployment. */
export interface Deployment {
  /** Of the application that this command line registered there. */
  client_id?: string
  oauth?: OAuthLogin
  api_key?: string
  /** Who logged in. It keeps the imports of two accounts apart. */
  user?: { id: string; email: string }
  /** Signs what `listen --forward` sends. */
  hook?: { subscription_id: string; secret: string }
}

export interface Credentials {
  version: 1
  /** The deployment of the latest login. */
  current?: string
  deployments: Record<string, Deployment>
}

/** The file of logins: mode 0600, replaced as a whole, one writer at a time. */
export class CredentialsFile {
  readonly path: string
  readonly #io: Io

  constructor(io: Io) {
    this.#io = io
    this.path = credentialsPath(io.env)
  }

  async read(): Promise<Credentials> {
    const text = await readPrivate(this.path)
    if (text === null) return { version: 1, deployments: {} }
    const stored = parse(text)
    if (stored) return stored
    throw new Failure(EXIT.failure, `${this.path} was not written by this version of the command line.`, {
      hint: 'Move it elsewhere and log in again.',
    })
  }

  async deployment(url: string): Promise<Deployment> {
    return (await this.read()).deployments[url] ?? {}
  }

  /** Reads, changes and writes while no other command does. `change` may ask the service. */
  update<T>(change: (stored: Credentials) => T | Promise<T>): Promise<T> {
    return withLock(this.#io, `${this.path}.lock`, async () => {
      const stored = await this.read()
      const before = JSON.stringify(stored)
      const result = await change(stored)
      if (JSON.stringify(stored) !== before) await writePrivate(this.path, `${JSON.stringify(stored, null, 2)}\n`)
      return result
    })
  }

  updateDeployment<T>(url: string, change: (deployment: Deployment) => T | Promise<T>): Promise<T> {
    return this.update((stored) => change((stored.deployments[url] ??= {})))
  }
}

function parse(text: string): Credentials | null {
  try {
    const value = JSON.parse(text) as Partial<Credentials> | null
    return value?.version === 1 && typeof value.deployments === 'object' ? (value as Credentials) : null
  } catch {
    return null
  }
}
