import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Agent } from '../agent/agents.ts'
import { messageId } from '../agent/message-id.ts'
import type { Message } from '../agent/spool.ts'
import { withLock } from '../config/lock.ts'
import { statePath } from '../config/paths.ts'
import { orMissing } from '../config/private-file.ts'
import type { Io } from '../io.ts'
import { storable } from '../../storable.ts'

/** What one hook leaves for the next one of its session. */
interface Session {
  /** How many turns it has had. */
  turns: number
  turn: string
  prompts: number
  answers: number
  /** Prompts that no answer has followed yet. */
  waiting: Message[]
}

/** Of a session whose turns never end. */
const MAX_PROMPTS = 20
/** Longer texts are logs and files. The service would cut them into parts. */
export const MAX_CHARACTERS = 65_536

/** What is kept of a text. */
export const keptOf = (text: string): string => storable(text, MAX_CHARACTERS)

const fileOf = (env: NodeJS.ProcessEnv, agent: Agent, session: string): string => {
  const name = createHash('sha256').update(`${agent} ${session}`).digest('hex').slice(0, 32)
  return statePath(env, 'agents', 'sessions', `${name}.json`)
}

/** The turns of one session of an agent, told by one process after another. */
export class SessionFile {
  readonly #now: Io['now']
  readonly #path: string
  readonly #session: string

  constructor({ env, now }: Pick<Io, 'env' | 'now'>, agent: Agent, session: string) {
    this.#now = now
    this.#path = fileOf(env, agent, session)
    this.#session = session
  }

  /** Keeps a prompt until its answer comes. Fails at `signal` while another hook has the session. */
  prompted(prompt: string, turn: string | null, signal?: AbortSignal): Promise<void> {
    return this.#alone(signal, async () => {
      const now = this.#now()
      const session = this.#at(await this.#read(), turn, true, now)
      session.prompts += 1
      const waiting = [...session.waiting, message('user', session.turn, session.prompts, prompt, now)]
      await this.#write({ ...session, waiting: waiting.slice(-MAX_PROMPTS) })
    })
  }

  /**
   * Hands the messages of a turn that has ended to `keep`, and forgets its prompts once they are kept. `prompt` counts where no
   * hook has told one.
   */
  answered(
    answer: string,
    turn: string | null,
    prompt: string | null,
    keep: (messages: Message[]) => Promise<void>,
  ): Promise<void> {
    return this.#alone(undefined, async () => {
      const now = this.#now()
      const before = await this.#read()
      const untold = before.waiting.length === 0 && prompt !== null
      const session = this.#at(before, turn, untold || before.turns === 0, now)
      if (untold) {
        session.prompts += 1
        session.waiting.push(message('user', session.turn, session.prompts, prompt, now))
      }
      session.answers += 1
      await keep([...session.waiting, message('assistant', session.turn, session.answers, answer, now)])
      await this.#write({ ...session, waiting: [] })
    })
  }

  /** Prompts of a session that is not remembered are not kept. */
  async forget(): Promise<void> {
    // Where nothing is remembered, nothing is written either.
    if ((await this.#read()).waiting.length === 0) return
    await this.#alone(undefined, async () => this.#write({ ...(await this.#read()), waiting: [] }))
  }

  /** Two hooks of a session may run at once. */
  #alone(signal: AbortSignal | undefined, task: () => Promise<void>): Promise<void> {
    const clock = { now: this.#now, sleep: (ms: number) => setTimeout(ms, undefined, { signal }) }
    return withLock(clock, `${this.#path}.lock`, task)
  }

  /** `isNew`: a turn without a name is the next one. One with a name is new where the name is. */
  #at(session: Session, named: string | null, isNew: boolean, now: number): Session {
    if (named === null ? !isNew : named === session.turn) return session
    const turns = session.turns + 1
    // The count begins again once this file is erased; with the time no name comes twice.
    const turn = named ?? `${this.#session}:${now.toString(36)}-${turns}`
    return { ...session, turns, turn, prompts: 0, answers: 0 }
  }

  async #read(): Promise<Session> {
    const text = await orMissing(readFile(this.#path, 'utf8'))
    return text === null ? { turns: 0, turn: '', prompts: 0, answers: 0, waiting: [] } : (JSON.parse(text) as Session)
  }

  async #write(session: Session): Promise<void> {
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 })
    const fresh = `${this.#path}.${process.pid}`
    await writeFile(fresh, JSON.stringify(session), { mode: 0o600 })
    await rename(fresh, this.#path)
  }
}

function message(role: Message['role'], turn: string, number: number, text: string, now: number): Message {
  return {
    id: messageId(turn, role, number),
    role,
    content: keptOf(text),
    timestamp: new Date(now).toISOString(),
  }
}
