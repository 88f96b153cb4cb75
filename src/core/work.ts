import type { System } from './context.ts'
import type { Database, Statement } from './database/database.ts'
import type { QueueName } from './ports.ts'

/**
 * Messages about rows that are committed. The rows say what is due, so a message that is lost, late or doubled costs only
 * time: a sweep sends it again. A message that is the only copy of what it holds, as in the queue `audit`, is not work.
 */
export interface Work {
  queue: Exclude<QueueName, 'audit'>
  messages: readonly unknown[]
  delaySeconds?: number
}

/** Sends work. A failure is only logged: a sweep sends the work again. */
export async function sendWork(system: Pick<System, 'queues' | 'log'>, work: Work): Promise<void> {
  const { queue, messages, delaySeconds } = work
  if (messages.length === 0) return
  try {
    await system.queues.send(queue, messages, delaySeconds ? { delaySeconds } : {})
  } catch (error) {
    system.log.error({ event: 'work.not_sent', queue, messages: messages.length }, error)
  }
}

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
