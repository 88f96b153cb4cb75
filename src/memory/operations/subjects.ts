import { z } from '@hono/zod-openapi'
import { iso } from '../../core/values/clock.ts'
import type { AuthContext } from '../../core/context.ts'
import { pageOf, type Page } from '../../core/http/cursor.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { anyId, onlyTrue, timestamp } from '../../core/http/fields.ts'
import { SealedPageQuery, sealedOrder } from '../../core/http/sealed-cursor.ts'
import { SAMPLE_TIME, samplePage } from '../../core/sample.ts'
import { accessParams, alive, membershipSql, readableBy, requireProject, retired, targetProject } from '../access.ts'
import { statusesOf, StatusFilter } from '../retirement/status-filter.ts'
import { Subject } from '../subject.ts'
import { PROJECT_REFUSALS } from '../refusals.ts'
import type { ItemStatus } from '../table.ts'

export const ListSubjects = SealedPageQuery.extend({
  project_id: anyId.optional(),
  prefix: Subject.optional().meta({ description: 'The characters with which a subject begins.' }),
  status: StatusFilter,
})

/** Items of one subject are counted up to this number. */
const MAX_COUNTED = 1_000
/** Subjects that one page looks at, since the items of any number of them may be hidden from the caller. */
const MAX_PAGE_SUBJECTS = 1_000
/** A page looks at no further subject after this many items. */
const MAX_EXAMINED_ITEMS = 20_000

const SubjectSchema = z
  .object({
    subject: z.string(),
    items: z
      .int()
      .meta({ description: `Items that you can read, counted up to ${MAX_COUNTED.toLocaleString('en-US')}.` }),
    items_truncated: onlyTrue.optional().meta({ description: 'Only if there are, or may be, more items.' }),
    last_write_at: timestamp.meta({ description: 'When one of these items was last stored or changed.' }),
  })
  .openapi('MemorySubject')
export type MemorySubject = z.infer<typeof SubjectSchema>

/** A subject, and what the page sees among its newest items. */
interface SubjectRow {
  name: string
  /** Its place among those that the page looks at, and items that the page looked at before. */
  n: number
  before: number
  /** Items looked at, and those that the caller may read. */
  looked_at: number
  readable: number
  written_at: number
  /** The last item looked at, where none of them is readable and there are more. */
  stop_at: number | null
  stop_id: string | null
}

/** A position behind all items of a subject, and one before them: current items, then retired ones, each newest first. */
const BEHIND_ITEMS = Number.MIN_SAFE_INTEGER
const BEFORE_ITEMS = Number.MAX_SAFE_INTEGER

/** A page begins with the next subject, or goes on within one. */
const behindSubject = ({ name }: SubjectRow): [string, number, string] => [name, BEHIND_ITEMS, '']
const byName = sealedOrder(
  'subjects',
  z.tuple([z.string(), z.number(), z.string()]),
  ['', BEHIND_ITEMS, ''],
  behindSubject,
)

const INDEXED = 'memory_items i indexed by memory_items_by_subject'

/** SQL: the first subject of the project `m` for which the condition on `i.subject` holds: one look into the index. */
const firstSubject = (condition: string): string => `
  (select i.subject from ${INDEXED} where i.project_id = m.id and i.subject ${condition} order by i.subject limit 1)`

/** It takes the instant of a retirement behind that of any creation. */
const BEHIND_CURRENT = 2 ** 52

/** SQL: which items of the index have a status, which of them live, and where they stand. */
const OF_STATUS: Record<ItemStatus, { where: string; lives: string; instant: string; shift: number }> = {
  current: { where: 'i.deleted_at is null', lives: alive(), instant: 'i.created_at', shift: 0 },
  // A tombstone has no subject.
  retired: { where: 'i.deleted_at > 0', lives: retired(), instant: 'i.deleted_at', shift: BEHIND_CURRENT },
}

interface Look {
  columns: (lives: string) => string
  /** Items before the position of `names` are left out. */
  within: boolean
  end: string
}

/** SQL: the items of a subject of the project `m`, in order of their position. */
function itemsOf(statuses: readonly ItemStatus[], { columns, within, end }: Look): string {
  const parts = statuses.map((status) => {
    const { where, lives, instant, shift } = OF_STATUS[status]
    const after = within ? `and (${instant}, i.id) < (names.at + ${shift}, names.id)` : ''
    return `select * from (select ${columns(lives)}, ${instant} - ${shift} as at, i.id from ${INDEXED}
      where i.project_id = m.id and i.subject = names.name and ${where} ${after}
      order by ${instant} desc, i.id desc limit ${MAX_COUNTED + 1})`
  })
  return `select * from (${parts.join(' union all ')}) ${statuses.length > 1 ? 'order by at desc, id desc' : ''} limit ${end}`
}

/**
 * SQLite makes the next subject when it has looked at the last, so a page of few reads few. `limit -1` keeps it from copying
 * a look at the items into each place that reads the result.
 */
const pageSql = (ctx: AuthContext, statuses: readonly ItemStatus[]): string => `
  with recursive m as materialized (${membershipSql()}),
  names(name, at, id, n, before) as (
    select iif(:at > ${BEHIND_ITEMS}, :after,
      iif(:prefix > :after, ${firstSubject('>= :prefix')}, ${firstSubject('> :after')})),
      iif(:at > ${BEHIND_ITEMS}, :at, ${BEFORE_ITEMS}), :id, 1, 0 from m
    union all
    select ${firstSubject('> names.name')}, ${BEFORE_ITEMS}, '', n + 1,
      before + (select count(*) from (${itemsOf(statuses, { columns: () => '1', within: false, end: `${MAX_COUNTED + 1}` })}))
    from names cross join m
    where instr(names.name, :prefix) = 1 and n < ${MAX_PAGE_SUBJECTS} and before < ${MAX_EXAMINED_ITEMS}),
  seen as (
    select names.*, (
      select json_array(count(*), coalesce(sum(readable), 0), max(updated_at) filter (where readable))
      from (${itemsOf(statuses, {
        columns: (lives) => `(${lives} and ${readableBy(ctx.principal)}) as readable, i.updated_at`,
        within: true,
        end: `${MAX_COUNTED + 1}`,
      })})) as look
    from names cross join m where instr(names.name, :prefix) = 1 limit -1)
  select name, n, before, look ->> 0 as looked_at, look ->> 1 as readable, look ->> 2 as written_at,
    stop ->> 0 as stop_at, stop ->> 1 as stop_id from (
    select names.*, iif(look ->> 1 = 0 and look ->> 0 > ${MAX_COUNTED},
      (select json_array(at, id) from (${itemsOf(statuses, { columns: () => '1', within: true, end: `1 offset ${MAX_COUNTED}` })})), null) as stop
    from seen names cross join m limit -1)
  where readable > 0 or stop is not null or n = ${MAX_PAGE_SUBJECTS} or before >= ${MAX_EXAMINED_ITEMS} limit :rows`

/** The subjects of one project with an item that the caller may read, by name. 404 for a hidden project. */
export async function subjects(
  ctx: AuthContext,
  input: z.output<typeof ListSubjects>,
): Promise<Page<z.infer<typeof SubjectSchema>>> {
  const target = targetProject(ctx, input.project_id)
  ctx.trail.projectId = target.projectId
  const order = byName(ctx, target.projectId)
  const [after, at, id] = await order.after(input)
  const read = await ctx.db.all<SubjectRow>(pageSql(ctx, statusesOf(input.status)), {
    ...accessParams(ctx),
    project: target.projectId,
    prefix: input.prefix ?? '',
    after,
    at,
    id,
    rows: input.limit + 1,
  })
  if (read.length === 0) await requireProject(ctx, target)
  const stop = read.findIndex(({ stop_at }) => stop_at !== null)
  const rows = stop < 0 ? read : read.slice(0, stop + 1)
  const shown = rows.filter(({ readable }) => readable > 0)
  return order.page(shown, input, toSubject, endOf(rows.at(-1)))
}

/** Where the page ended its look, if it did so before the last subject. */
function endOf(last: SubjectRow | undefined): [string, number, string] | null {
  if (!last) return null
  if (last.stop_at !== null && last.stop_id !== null) return [last.name, last.stop_at, last.stop_id]
  return last.n === MAX_PAGE_SUBJECTS || last.before >= MAX_EXAMINED_ITEMS ? behindSubject(last) : null
}

const toSubject = ({ name, looked_at, readable, written_at }: SubjectRow): z.infer<typeof SubjectSchema> => ({
  subject: name,
  items: Math.min(readable, MAX_COUNTED),
  ...(looked_at > MAX_COUNTED ? { items_truncated: true } : {}),
  last_write_at: iso(written_at),
})

export const subjectsEndpoint = endpoint({
  method: 'get',
  path: '/v1/memory/subjects',
  operationId: 'listSubjects',
  refusals: PROJECT_REFUSALS,
  tag: 'memory',
  summary: 'List subjects',
  description:
    'Lists the subjects of one project that an item you can read is about, by name. A page can have fewer entries than its limit.',
  scope: 'read:memory',
  limit: 'read',
  audit: 'memory.subjects',
  query: ListSubjects,
  reply: { 200: pageOf(SubjectSchema) },
  errors: ['not_found'],
  example: {
    query: { prefix: 'grace' },
    reply: samplePage({ subject: 'grace@example.com', items: 1, last_write_at: SAMPLE_TIME }),
  },
}).handle(({ ctx, query }) => subjects(ctx, query))
