/** @module-tag long */
import { expect, test } from 'vitest'
import { MAX_CLASS_RANGES } from '../../../src/memory/keyword/index-form.ts'
import { MAX_POSTINGS, MAX_TERM_SHARE } from '../../../src/memory/search/ranking.ts'
import { ctxOf, find, idsOf, stored } from '../../support/search.ts'
import { db, newTenant, type Tenant } from '../../support/world.ts'

/** Adds postings of a term to the class of a project's items, of texts that nobody can read. */
async function crowd({ projectId }: Tenant, term: string, postings: number, namespace = 'default') {
  await db.write(
    `insert into memory_words (rowid, words)
      with recursive n(at) as (select 1 union all select at + 1 from n where at < :postings)
      select 1000000000 + (select coalesce(max(doc), 0) from memory_words_instances where doc >= 1000000000) + at,
        (select ' ' || p.code || 'y' || :term || '·' || c.name || '65' from projects p
          join memory_classes c on c.project_id = p.id where p.id = :project and c.namespace = :namespace) from n`,
    { term, postings, project: projectId, namespace },
  )
}

const words = (count: number): string[] => Array.from({ length: count }, (_, at) => `q${at}`)

test('contract §3: a term with more than its share of postings is left out, counts nowhere, and the answer says so', async () => {
  const user = await newTenant()
  const ctx = ctxOf(user)
  const { id } = await stored(ctx, words(64).join(' '))
  await stored(ctx, 'q1')
  const search = () => find(ctx, words(64).join(' '), { mode: 'keyword', include: ['score_breakdown'] })
  const before = await search()
  expect(before.results[0]?.score_breakdown).toMatchObject({
    terms_left_out: 0,
    keyword: { score: expect.any(Number) },
  })
  await crowd(user, 'q0', (MAX_TERM_SHARE * MAX_POSTINGS) / 64)
  const after = await search()
  expect(idsOf(after)).toEqual(idsOf(before))
  expect(after.results[0]).toMatchObject({ id, score_breakdown: { terms_left_out: 1 } })
})

test('contract §3: a term that is left out counts nowhere: scores are those of the query without it', async () => {
  const user = await newTenant()
  const ctx = ctxOf(user)
  const [common = '', ...others] = words(64)
  await stored(ctx, words(64).join(' '))
  await stored(ctx, 'q0 q1 q2')
  await stored(ctx, 'q0 q0 q0 q1')
  await stored(ctx, 'q2 and a kettle')
  await crowd(user, common, (MAX_TERM_SHARE * MAX_POSTINGS) / 64)
  const search = (terms: readonly string[]) =>
    find(ctx, terms.join(' '), { mode: 'keyword', include: ['score_breakdown'] })
  const scoresOf = ({ results }: Awaited<ReturnType<typeof search>>) =>
    results.map(({ id, score, score_breakdown }) => ({ id, score, keyword: score_breakdown?.keyword }))
  const [all, without] = [await search([common, ...others]), await search(others)]
  expect([all, without].map(({ results }) => results[0]?.score_breakdown?.terms_left_out)).toEqual([1, 0])
  expect(all.results).toHaveLength(4)
  expect(scoresOf(all)).toEqual(scoresOf(without))
  // Scores do depend on a term that is not left out.
  expect(scoresOf(await search(others.slice(1)))).not.toEqual(scoresOf(without))
})

test('where every term is too common the first one of the query is read alone', async () => {
  const user = await newTenant()
  const ctx = ctxOf(user)
  const { id } = await stored(ctx, 'q0')
  await stored(ctx, 'q1')
  await crowd(user, 'q0', MAX_POSTINGS)
  await crowd(user, 'q1', MAX_POSTINGS)
  const found = await find(ctx, 'q0 q1', { mode: 'keyword', include: ['score_breakdown'] })
  expect(idsOf(found)).toEqual([id])
  expect(found.results[0]?.score_breakdown?.terms_left_out).toBe(1)
})

test('of the term that is read alone 50,000 postings are read, in the order of the index', async () => {
  const user = await newTenant()
  // Ten seconds later a search would look for items of other models again, which reads more rows.
  const now = ctxOf(user).now()
  const ctx = ctxOf(user, { now: () => now })
  // The index has their postings of `q0` in this order: 130 before 65 of each text that is added, and 705 behind them.
  const { id: first } = await stored(ctx, 'q0 q0')
  const { id: last } = await stored(ctx, `q0 ${words(12).slice(2).join(' ')}`)
  const search = async () => {
    const meter = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
    const found = await find({ ...ctx, db: ctx.db.metered(meter) }, 'q0 q1', { mode: 'keyword' })
    return { ids: new Set(idsOf(found)), rowsRead: meter.rowsRead }
  }
  await crowd(user, 'q1', MAX_POSTINGS)
  await crowd(user, 'q0', MAX_POSTINGS - 2)
  const within = await search()
  expect(within.ids).toEqual(new Set([first, last]))
  await crowd(user, 'q0', 1)
  const behind = await search()
  expect(behind.ids).toEqual(new Set([first]))
  expect(behind.rowsRead).toBeLessThan(within.rowsRead)
  await crowd(user, 'q0', MAX_POSTINGS)
  expect(await search()).toEqual(behind)
})

test('the rarest terms are taken while they fit into 50,000 postings together', async () => {
  const user = await newTenant()
  const ctx = ctxOf(user)
  await stored(ctx, 'q0 q1 q2')
  const ids = [await stored(ctx, 'q0'), await stored(ctx, 'q1'), await stored(ctx, 'q2')].map(({ id }) => id)
  for (const [term, postings] of [
    ['q0', 0.4],
    ['q1', 0.2],
    ['q2', 0.5],
  ] as const)
    await crowd(user, term, postings * MAX_POSTINGS)
  const found = await find(ctx, 'q0 q1 q2', { mode: 'keyword', include: ['score_breakdown'] })
  expect(found.results.map(({ score_breakdown }) => score_breakdown?.terms_left_out)).toEqual([1, 1, 1])
  expect(idsOf(found)).toEqual(expect.arrayContaining(ids.slice(0, 2)))
  expect(idsOf(found)).not.toContain(ids[2])
})

test('contract §3: in very many classes the postings of other namespaces count against the share of a term', async () => {
  const user = await newTenant()
  const ctx = ctxOf(user)
  const terms = words(64)
  const namespaces = Array.from({ length: Math.ceil(MAX_CLASS_RANGES / terms.length) + 1 }, (_, at) => `a:${at}`)
  const own: string[] = []
  for (const namespace of namespaces) own.push((await stored(ctx, terms.join(' '), { context: { namespace } })).id)
  await stored(ctx, 'q1', { context: { namespace: 'b' } })
  const search = () =>
    find(ctx, terms.join(' '), {
      mode: 'keyword',
      limit: 100,
      include: ['score_breakdown'],
      context: { namespace_prefix: 'a' },
    })
  const before = await search()
  expect(new Set(idsOf(before))).toEqual(new Set(own))
  await crowd(user, 'q0', (MAX_TERM_SHARE * MAX_POSTINGS) / terms.length, 'b')
  const after = await search()
  expect(idsOf(after)).toEqual(idsOf(before))
  expect([before, after].map(({ results }) => results[0]?.score_breakdown?.terms_left_out)).toEqual([0, 1])
})
