import type { System } from './context.ts'
import type { Database, Statement } from './database/database.ts'
import type { MessageKind } from './message-kinds.ts'

/** Messages of work to send: they carry ids, and their rows are committed. */
export interface Work {
  kind: MessageKind<'work'>
  messages: readonly unknown[]
  delaySeconds?: number
}

/** Sends work. Answers false after a failure, which is only logged: a sweep sends the work again. */
export async function sendWork(system: Pick<System, 'queues' | 'log'>, work: Work): Promise<boolean> {
  const { kind, messages, delaySeconds } = work
  if (messages.length === 0) return true
  try {
    await system.queues.send(kind.queue, messages, delaySeconds ? { delaySeconds } : {})
    return true
  } catch (error) {
    system.log.error({ event: 'work.not_sent', work: kind.name, messages: messages.length }, error)
    return false
  }
}

/** Sends data. Throws where the queue takes none: the caller still has the only copy. */
export const sendData = (
  system: Pick<System, 'queues'>,
  kind: MessageKind<'data'>,
  messages: readonly unknown[],
): Promise<void> => system.queues.send(kind.queue, messages)

/**
 * A statement that makes work: it answers the ids of the rows. `Database` takes none, so that only a commit that sends the
 * work can run it.
 */
export class WorkStatement {
  readonly statement: Statement
  readonly workOf: (ids: readonly string[]) => Work

  constructor(statement: Statement, workOf: (ids: readonly string[]) => Work) {
    this.statement = statement
    this.workOf = workOf
  }
}

/** Commits statements and answers the rows of each. The work that they made is sent without waiting for it. */
export async function commitThenSend<Rows extends unknown[]>(
  system: Pick<System, 'queues' | 'log' | 'waitUntil'>,
  db: Database,
  statements: readonly (Statement | WorkStatement)[],
): Promise<{ [K in keyof Rows]: Rows[K][] }> {
  const results = await db.batch<Rows>(statements.map((one) => (one instanceof WorkStatement ? one.statement : one)))
  for (const [at, one] of statements.entries()) {
    if (!(one instanceof WorkStatement)) continue
    const rows = results[at] as { id: string }[]
    system.waitUntil(sendWork(system, one.workOf(rows.map(({ id }) => id))))
  }
  return results
}
