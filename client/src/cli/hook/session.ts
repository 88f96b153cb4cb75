import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Agent } from '../agent/agents.ts'
import { messageId } from '../agent/message-id.ts'
import type { Message } from '../agent/spool.ts'
import { withLock } from '../config/lock.ts'
import { statePath } from '../config/paths.ts'
import { orMissing } from '../config/private-file.ts'
import { fingerprint } from '../fingerprint.ts'
import type { Io } from '../io.ts'
import { storable } from '../../storable.ts'

/** What one hook leaves for the next one of its session. */
interface Session {
  /** Of its prompts that wait: where they go, and as whose. */
  owner: string
  /** Prompts were erased. Until the next one comes, what follows may be an answer to them. */
  erased: boolean
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

const folderOf = (env: NodeJS.ProcessEnv): string => statePath(env, 'agents', 'sessions')

const fileOf = (env: NodeJS.ProcessEnv, agent: Agent, session: string): string =>
  join(folderOf(env), `${fingerprint(`${agent} ${session}`)}.json`)

/** What a hook tells of a turn. */
interface Told {
  turn: string | null
  /** Another one gets none of the prompts that wait. */
  owner: string
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
  prompted({ prompt, turn, owner }: Told & { prompt: string }, signal?: AbortSignal): Promise<void> {
    return this.#alone(signal, async () => {
      const now = this.#now()
      const session = this.#at(ownedBy(owner, await read(this.#path)), turn, true, now)
      session.prompts += 1
      const waiting = [...session.waiting, message('user', session.turn, session.prompts, prompt, now)]
      await write(this.#path, { ...session, erased: false, waiting: waiting.slice(-MAX_PROMPTS) })
    })
  }

  /**
   * Hands the messages of a turn that has ended to `keep`, and forgets its prompts once they are kept. `prompt` counts where no
   * hook has told one. An answer to prompts that were erased is not kept.
   */
  answered(
    { answer, prompt, turn, owner }: Told & { answer: string; prompt: string | null },
    keep: (messages: Message[]) => Promise<void>,
  ): Promise<void> {
    return this.#alone(undefined, async () => {
      const now = this.#now()
      const before = ownedBy(owner, await read(this.#path))
      // A turn that a hook tells as a whole, by a name that is new, answers nothing that was erased.
      const isWhole = prompt !== null && turn !== null && turn !== before.turn
      if (before.erased && !isWhole) return write(this.#path, before)
      const untold = before.waiting.length === 0 && prompt !== null
      const session = this.#at(before, turn, untold || before.turns === 0, now)
      if (untold) {
        // One that is told twice as a whole is the same turn.
        if (turn !== null) session.prompts = session.answers = 0
        session.prompts += 1
        session.waiting.push(message('user', session.turn, session.prompts, prompt, now))
      }
      session.answers += 1
      await keep([...session.waiting, message('assistant', session.turn, session.answers, answer, now)])
      await write(this.#path, { ...session, erased: false, waiting: [] })
    })
  }

  /** Prompts of a session that is not remembered are not kept. */
  forget(): Promise<void> {
    return forget(this.#path, this.#now)
  }

  #alone(signal: AbortSignal | undefined, task: () => Promise<void>): Promise<void> {
    return alone(this.#path, this.#now, task, signal)
  }

  /** `isNew`: a turn without a name is the next one. One with a name is new where the name is. */
  #at(session: Session, named: string | null, isNew: boolean, now: number): Session {
    if (named === null ? !isNew : named === session.turn) return session
    const turns = session.turns + 1
    // The count begins again once this file is erased; with the time no name comes twice.
    const turn = named ?? `${this.#session}:${now.toString(36)}-${turns}`
    return { ...session, turns, turn, prompts: 0, answers: 0 }
  }
}

/** Erases the prompts that wait in all sessions. */
export async function forgetPrompts({ env, now }: Pick<Io, 'env' | 'now'>): Promise<void> {
  const folder = folderOf(env)
  for (const name of (await orMissing(readdir(folder))) ?? [])
    if (name.endsWith('.json')) await forget(join(folder, name), now)
}

async function forget(path: string, now: Io['now']): Promise<void> {
  // Where nothing is remembered, nothing is written either.
  if (!(await read(path))?.waiting.length) return
  await alone(path, now, async () => {
    const session = await read(path)
    if (session) await write(path, { ...session, erased: session.erased || session.waiting.length > 0, waiting: [] })
  })
}

/** Two hooks of a session may run at once. */
function alone(path: string, now: Io['now'], task: () => Promise<void>, signal?: AbortSignal): Promise<void> {
  const clock = { now, sleep: (ms: number) => setTimeout(ms, undefined, { signal }) }
  return withLock(clock, `${path}.lock`, task)
}

function ownedBy(owner: string, session: Session | null): Session {
  if (!session) return { owner, erased: false, turns: 0, turn: '', prompts: 0, answers: 0, waiting: [] }
  return session.owner === owner ? session : { ...session, owner, erased: true, waiting: [] }
}

async function read(path: string): Promise<Session | null> {
  const text = await orMissing(readFile(path, 'utf8'))
  return text === null ? null : (JSON.parse(text) as Session)
}

/**
 * Not by `writePrivate`, which syncs the disk and lists the files of all sessions: a person waits for the hook of a prompt. The
 * sender erases what a hook that was ended leaves behind.
 */
async function write(path: string, session: Session): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const fresh = `${path}.${process.pid}`
  await writeFile(fresh, JSON.stringify(session), { mode: 0o600 })
  await rename(fresh, path)
}

function message(role: Message['role'], turn: string, number: number, text: string, now: number): Message {
  return {
    id: messageId(turn, role, number),
    role,
    content: keptOf(text),
    timestamp: new Date(now).toISOString(),
  }
}
