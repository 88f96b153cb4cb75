import { stat } from 'node:fs/promises'
import { namespaceIn, repositoryOf } from '../../agent/repository.ts'
import { decide, readSettings, REASONS, type AgentSettings } from '../../agent/settings.ts'
import { orMissing } from '../../config/private-file.ts'

/** Where the turns of a folder go. */
export interface Placing {
  namespace: string
  visibility: 'private' | 'project'
}

/** The folders of sessions, as the hooks decide about them: what they do not remember, an import does not take either. */
export class Places {
  readonly #env: NodeJS.ProcessEnv
  readonly #project: string | null
  readonly #known = new Map<string, Promise<Placing | { reason: string }>>()

  /** `project`: that of the import; null: the default one. */
  constructor(env: NodeJS.ProcessEnv, project: string | null) {
    this.#env = env
    this.#project = project
  }

  of(folder: string | null): Promise<Placing | { reason: string }> {
    if (folder === null) return Promise.resolve({ reason: 'the session does not name its folder' })
    const known = this.#known.get(folder) ?? this.#find(folder)
    this.#known.set(folder, known)
    return known
  }

  async #find(folder: string): Promise<Placing | { reason: string }> {
    const settings = await readSettings(this.#env)
    try {
      return await this.#decide(settings, folder)
    } catch (error) {
      return { reason: whyUnreadable(folder, error) }
    }
  }

  async #decide(settings: AgentSettings, folder: string): Promise<Placing | { reason: string }> {
    if (!(await orMissing(stat(folder)))) return { reason: 'the folder is gone' }
    const repository = await repositoryOf(folder)
    const decision = await decide(settings, this.#env, folder, repository)
    if (!repository || !decision.on)
      return { reason: `${folder}: ${REASONS[decision.on ? 'no repository' : decision.why]}` }
    const { share } = decision
    if (share !== null && share !== this.#project)
      return { reason: `${folder} is shared with ${share}: import it with --project ${share}` }
    const namespace = await namespaceIn(this.#env, repository)
    return { namespace, visibility: share === null ? 'private' : 'project' }
  }
}

/** A folder that cannot be read leaves out its own sessions alone. */
function whyUnreadable(folder: string, error: unknown): string {
  const { message, cause } = error instanceof Error ? error : new Error(String(error))
  const told = cause instanceof Error ? (/^fatal: .*/m.exec(cause.message)?.[0] ?? cause.message) : null
  return `${folder}: ${message}${told === null ? '' : ` ${told}`}`
}
