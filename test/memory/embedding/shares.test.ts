import { expect, test } from 'vitest'
import { sharesOf } from '../../../src/memory/embedding/shares.ts'

/** `A/p/a`: tenant, project, author. */
const author = (text: string) => {
  const [tenant_id = '', project_id = '', text_by = ''] = text.split('/')
  return { tenant_id, project_id, text_by }
}

test.each([
  { authors: [], shares: [] },
  { authors: ['A/p/a'], shares: [12] },
  { authors: ['A/p/a', 'B/q/b'], shares: [6, 6] },
  // A tenant with many authors or projects has no more than one with a single author.
  { authors: ['A/p/a', 'A/p/b', 'A/q/a', 'B/r/c'], shares: [2, 2, 2, 6] },
  { authors: ['A/p/a', 'B/q/b', 'A/p/c', 'C/r/d'], shares: [2, 2, 4, 4] },
])('of twelve items, $authors have $shares', ({ authors, shares }) => {
  expect(sharesOf(authors.map(author), 12).map(({ share }) => share)).toEqual(shares)
})

test('a tenant with more authors than items: the first of them have one each', () => {
  const authors = Array.from({ length: 20 }, (_, n) => author(`A/p/${n}`))
  const shares = sharesOf([...authors, author('B/q/b')], 12)
  expect(shares).toEqual([
    ...authors.slice(0, 6).map((one) => ({ ...one, share: 1 })),
    { ...author('B/q/b'), share: 6 },
  ])
})
