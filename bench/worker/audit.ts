import { listAudit } from '../../src/audit/list.ts'
import { pack, type PackedObject } from '../../src/audit/objects/format.ts'
import { enter, reserveObjects } from '../../src/audit/objects/index-rows.ts'
import { pageStatements, toPages, type AuditPage } from '../../src/audit/pages.ts'
import { auditRow, type AuditActor, type AuditRow } from '../../src/audit/record.ts'
import type { System } from '../../src/core/context.ts'
import { FIRST_SHARD } from '../../src/core/shards.ts'
import { depsOf } from '../../src/deps.ts'
import worker from '../../src/index.ts'
import { AUDIT_PATH, type AuditCost, type AuditTask } from '../support/audit-task.ts'

export { ClientDocument, Limiter, ProjectVectors, UserHub } from '../../src/index.ts'

/** Tenants whose pages lie across one another in the index of the database. */
const TENANTS = 20_000
const LIST_ROWS = 100

/** The service as it is, and a path that does the work of consumers and lists of the audit log alone. */
export default {
  ...worker,
  async fetch(request: Request<unknown, IncomingRequestCfProperties>, env: Env, execution: ExecutionContext) {
    if (new URL(request.url).pathname !== AUDIT_PATH) return worker.fetch(request, env, execution)
    const system = depsOf(env)((work) => execution.waitUntil(work))
    return Response.json(await run(system, await request.json<AuditTask>()))
  },
}

let known: AuditActor[] = []

async function run(system: System, task: AuditTask): Promise<AuditCost> {
  if (known.length === 0) known = Array.from({ length: TENANTS }, () => newActor(system))
  if (task.what === 'list') return list(system, task, newActor(system))
  const first = Math.floor(Math.random() * TENANTS)
  const actors = Array.from({ length: task.tenants }, (_, nth) =>
    actorAt(first + nth * Math.floor(TENANTS / task.tenants)),
  )
  const rows = Array.from({ length: task.accesses }, () => actors.map((actor) => newRow(system, actor))).flat()
  const pages = toPages(system.newId('aud'), rows)
  return task.what === 'pages' ? storePages(system, task, pages) : storeIndex(system, task, pages)
}

async function storePages(system: System, { cpuUrl }: AuditTask, pages: AuditPage[]): Promise<AuditCost> {
  const db = system.auditDatabase(FIRST_SHARD)
  const before = await db.size()
  const statements = pageStatements(db, pages)
  const cpuMs = await cpuOf(cpuUrl, () => db.batch(statements))
  return { cpuMs, accesses: accessesOf(pages), databaseBytes: (await db.size()) - before, objectBytes: 0 }
}

async function storeIndex(system: System, { cpuUrl }: AuditTask, pages: AuditPage[]): Promise<AuditCost> {
  const db = system.auditDatabase(FIRST_SHARD)
  const before = await db.size()
  const packed = await Promise.all(pages.map((page) => packPage(page)))
  const reserved = reserveObjects(
    db,
    packed.map(({ index }) => index),
  )
  const cpuMs = await cpuOf(cpuUrl, async () => {
    await db.batch([reserved])
    for (const { index } of packed) await enter(db, index, [], system.now())
  })
  const objectBytes = packed.reduce((sum, { index }) => sum + index.bytes, 0)
  return { cpuMs, accesses: accessesOf(pages), databaseBytes: (await db.size()) - before, objectBytes }
}

/** An answer of the newest rows. The bucket is a map: the time is that of the work, without the way to R2. */
async function list(system: System, task: Extract<AuditTask, { what: 'list' }>, actor: AuditActor): Promise<AuditCost> {
  const db = system.auditDatabase(FIRST_SHARD)
  const bucket = new Map<string, Uint8Array<ArrayBuffer>>()
  for (let written = 0; written < task.rows; written += task.accesses) {
    const rows = Array.from({ length: task.accesses }, () => newRow(system, actor))
    const pages = toPages(system.newId('aud'), rows)
    const isPage = task.from === 'database' || (task.from === 'both' && (written / task.accesses) % 2 === 0)
    if (isPage) await db.batch(pageStatements(db, pages))
    else
      for (const page of pages) {
        const { index, body } = await packPage(page)
        bucket.set(index.key, body)
        await enter(db, index, [], system.now())
      }
  }
  const archiving: System = {
    ...system,
    auditObjects: {
      get: async (key) => bucket.get(key) ?? null,
      put: async () => {},
      head: async () => null,
      list: async () => ({ keys: [], hasMore: false }),
      delete: async () => {},
    },
  }
  const visibility = {
    tenantId: actor.tenantId,
    actor: actor.userId,
    credentialId: '',
    workspaceIds: [],
    projectIds: [],
  }
  let accesses = 0
  const cpuMs = await cpuOf(task.cpuUrl, async () => {
    accesses = (await listAudit(archiving, db, visibility, {}, { limit: LIST_ROWS })).data.length
  })
  return { cpuMs, accesses, databaseBytes: 0, objectBytes: 0 }
}

const actorAt = (nth: number): AuditActor => {
  const actor = known[nth % TENANTS]
  if (!actor) throw new Error('there are no tenants')
  return actor
}

const newActor = (system: System): AuditActor => ({
  tenantId: system.newId('ten'),
  userId: system.newId('usr'),
  credential: { kind: 'key', id: system.newId('key'), environment: 'live', appId: null },
})

/** The row of a retrieve. */
const newRow = (system: System, principal: AuditActor): AuditRow =>
  auditRow(system, {
    principal,
    action: 'memory.retrieve',
    outcome: 'success',
    requestId: system.newId('req'),
    trail: {
      resourceIds: [system.newId('mem')],
      // A tenant reads in one project for the most part.
      projectId: principal.tenantId.replace('ten', 'prj'),
      workspaceId: principal.tenantId.replace('ten', 'wsp'),
    },
  })

const packPage = (page: AuditPage): Promise<PackedObject> =>
  pack(FIRST_SHARD, page.tenant_id, [{ ...page, rows: JSON.stringify(page.rows), count: page.rows.length }])

const accessesOf = (pages: readonly AuditPage[]): number => pages.reduce((sum, { rows }) => sum + rows.length, 0)

async function cpuOf(url: string, work: () => Promise<unknown>): Promise<number> {
  const cpuMs = async (): Promise<number> => Number(await (await fetch(url)).text())
  const start = await cpuMs()
  const ofLook = (await cpuMs()) - start
  const before = await cpuMs()
  await work()
  return (await cpuMs()) - before - ofLook
}
