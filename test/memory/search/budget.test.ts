import { expect, test } from 'vitest'
import { MAX_POSTINGS, MAX_TERM_SHARE } from '../../../src/memory/search/ranking.ts'
import { ctxOf, find, idsOf, stored } from '../../support/search.ts'
import { db, newTenant, type Tenant } from '../../support/world.ts'

/** Adds postings of a term to the class of a project's items, of texts that nobody can read. */
async function crowd({ projectId }: Tenant, term: string, postings: number) {
  await db.write(
    `insert into memory_words (rowid, words)
      with recursive n(at) as (select 1 union all select at + 1 from n where at < :postings)
      select 1000000000 + (select coalesce(max(doc), 0) from memory_words_instances where doc >= 1000000000) + at,
        (select ' ' || p.code || 'y' || :term || '·' || c.name || '65' from projects p
          join memory_classes c on c.project_id = p.id where p.id = :project) from n`,
    { term, postings, project: projectId },
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
