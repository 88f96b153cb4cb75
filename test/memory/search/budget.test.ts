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
