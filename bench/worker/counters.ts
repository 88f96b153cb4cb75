import { emptyMessage, type AuditMessage } from '../../src/audit/message.ts'
import { addDuration, hourKey } from '../../src/audit/request-hours.ts'
import { storeMessages } from '../../src/audit/store.ts'
import type { Principal } from '../../src/core/context.ts'
import { FIRST_SHARD } from '../../src/core/shards.ts'
import { depsOf } from '../../src/deps.ts'
import worker from '../../src/index.ts'
import { COUNTERS_PATH, REQUESTS_A_MESSAGE, type CountersTask } from '../support/counters-task.ts'

export { ClientDocument, Limiter, ProjectVectors, UserHub } from '../../src/index.ts'

/** The service as it is, which also does the work of its counters alone. */
export default {
  ...worker,
  async fetch(request: Request<unknown, IncomingRequestCfProperties>, env: Env, execution: ExecutionContext) {
    if (new URL(request.url).pathname !== COUNTERS_PATH) return worker.fetch(request, env, execution)
    const { work, times, counters } = await request.json<CountersTask>()
    return Response.json(work === 'count' ? count(times, counters) : await store(env, execution, times, counters))
  },
}

const OPERATIONS = ['memory.retrieve', 'memory.search', 'memory.store', 'memory.list']
const USERS = 5

/** Requests of five users by four operations, so that twenty rows of an hour get them. */
const REQUESTS = Array.from({ length: REQUESTS_A_MESSAGE }, (_, nth) => {
  const id = (prefix: string) => `${prefix}_${String(nth % USERS).padStart(26, '0')}`
  const credential = { kind: 'key', id: id('key'), environment: 'live', appId: null, grantId: null } as const
  return {
    principal: { tenantId: id('ten'), userId: id('usr'), credential } as Principal,
    operation: OPERATIONS[Math.floor(nth / USERS) % OPERATIONS.length] ?? '',
    outcome: 'ok',
    projectId: id('prj'),
    pageRead: false,
  } as const
})

/** Adds the counters of a request to the isolate's sums. Answers the number of sums. */
function count(times: number, counters: boolean): number {
  let hours: Record<string, number[]> = {}
  let rows = 0
  for (let nth = 0; nth < times; nth += 1) {
    const request = REQUESTS[nth % REQUESTS_A_MESSAGE]
    if (nth % REQUESTS_A_MESSAGE === 0) hours = {}
    if (request && counters && addDuration(hours, hourKey(Date.now(), request), nth % 300)) rows += 1
  }
  return rows
}

async function store(env: Env, execution: ExecutionContext, times: number, counters: boolean): Promise<number> {
  const system = depsOf(env)((work) => execution.waitUntil(work))
  for (let nth = 0; nth < times; nth += 1)
    await storeMessages(system, FIRST_SHARD, [messageOf(system.newId('aud'), counters)])
  return times
}

/** The message of an isolate that has answered these requests. */
function messageOf(id: string, counters: boolean): AuditMessage {
  const message: AuditMessage = { ...emptyMessage(), id, ...(counters ? { hours: {} } : {}) }
  const step = Date.now() - (Date.now() % 300_000)
  for (const [nth, request] of REQUESTS.entries()) {
    const { tenantId, userId } = request.principal
    const key = [tenantId, userId, request.operation, 'ok', step].join(' ')
    message.counts[key] = (message.counts[key] ?? 0) + 1
    if (message.hours) addDuration(message.hours, hourKey(Date.now(), request), nth)
  }
  return message
}
