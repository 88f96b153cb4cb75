import { expect } from 'vitest'
import { accessParams } from '../../../src/memory/access.ts'
import { wordsOf } from '../../../src/memory/keyword/cut.ts'
import type { AuthContext } from '../../../src/core/context.ts'
import { readScope, type ReadScope } from '../../../src/memory/filter/read-scope.ts'
import { shareOf } from '../../../src/memory/search/keyword-sql.ts'
import { legsOf } from '../../../src/memory/search/statement.ts'
import { unpacked, type PackedSearchRow, type SearchRow } from '../../../src/memory/search/search-row.ts'
import { searchSql, type Ranking, type SearchParams } from '../../../src/memory/search/search-sql.ts'
import { hitsJson, type ScoredHit } from '../../../src/memory/search/semantic-sql.ts'
import { ctxOf, embedded } from '../../support/search.ts'
import { addMember, db, newTenant, system } from '../../support/world.ts'
import { rank, type Occurrence, type Ranked } from './plain-ranking.ts'

/** What a search asks its statement. */
export interface Asked {
  terms: string[]
  hits: ScoredHit[]
  relative: boolean
  weight: number
  threshold: number | null
  floor: number | null
  limit: number
}

export const ask = (changes: Partial<Asked>): Asked => ({
  terms: [],
  hits: [],
  relative: false,
  weight: 0.3,
  threshold: null,
  floor: null,
  limit: 10,
  ...changes,
})

/** All rows of the statement of a search; it has the parts of `ranking` besides those that are asked for. `more`: their values. */
export async function rowsOf(
  ctx: AuthContext,
  scope: ReadScope,
  { terms, hits, weight, threshold, floor, limit }: Omit<Asked, 'relative'>,
  ranking: Partial<Ranking>,
  more: Partial<SearchParams> = {},
): Promise<SearchRow[]> {
  const none = {
    reindexing: false,
    readsOthers: true,
    isWide: true,
    relative: false,
    spelling: false,
    ranks: false,
    others: false,
    speaker: false,
    date: null,
    lends: false,
    recency: false,
    neighbors: false,
    terms: false,
  }
  const parts = { ...none, bounded: false, ...legsOf(terms, hits), ...ranking }
  const answered = await db.all<PackedSearchRow>(searchSql(scope, parts), {
    ...accessParams(ctx),
    ...scope.params,
    ...(parts.keyword ? { terms: JSON.stringify(terms), share: shareOf(terms.length) } : {}),
    ...(parts.semantic ? { hits: hitsJson(hits) } : {}),
    weight,
    threshold,
    floor,
    wanted: limit,
    ...more,
  })
  return answered.map(unpacked)
}

/** A project of these texts, all embedded. Its owner may see all of them, its member those that are not hidden. */
export async function newCorpus(texts: readonly string[], isHidden: (at: number) => boolean = () => false) {
  const owner = await newTenant()
  const member = await addMember(owner, 'editor')
  /** By the places of the texts. */
  const ids: string[] = []
  for (const visibility of ['project', 'private']) {
    const places = [...texts.keys()].filter((at) => isHidden(at) === (visibility === 'private'))
    const contents = places.map((at) => texts[at] ?? '')
    const stored = await embedded(ctxOf(owner), contents, { visibility })
    places.forEach((at, nth) => (ids[at] = stored[nth] ?? ''))
  }
  const rows = new Map(
    (
      await db.all<{ id: string; row: number }>('select id, row from memory_items where project_id = :project', {
        project: owner.projectId,
      })
    ).map(({ id, row }) => [id, row]),
  )
  const rowOf = (id: string): number => rows.get(id) ?? 0
  const cut = texts.map((text) => wordsOf(text))

  /** The results of the statement. `whole`: it has all of its parts, also those that nothing is asked of. */
  async function bySql(asked: Asked, { caller = owner, whole = false } = {}): Promise<Ranked[]> {
    const ctx = ctxOf(caller)
    const scope = readScope(ctx.principal, owner.projectId, {}, undefined)
    const found = await rowsOf(
      ctx,
      scope,
      asked,
      {
        ...(whole ? { keyword: true, semantic: true } : {}),
        relative: asked.relative,
        ranks: true,
        others: true,
        lends: whole,
        bounded: true,
      },
      { model: system.embedder.model, dimension: system.embedder.dimension },
    )
    return found
      .filter((row) => row.passes)
      .map(({ id, score, keyword, semantic, keyword_rank: keywordRank, semantic_rank: semanticRank, hit }) => {
        expect(hit === null ? id : asked.hits[hit]?.item).toBe(id)
        // A result has its scores.
        return { row: rowOf(id), score, keyword, semantic, keywordRank, semanticRank } as Ranked
      })
  }

  /** The plain ranking of the texts that the caller may see. */
  function byRank({ terms, hits, ...asked }: Asked, { caller = owner } = {}): Ranked[] {
    const visible = new Set(ids.filter((_, at) => caller === owner || !isHidden(at)).map(rowOf))
    const counted = cut.filter((_, at) => visible.has(rowOf(ids[at] ?? '')))
    const occurrences = terms.flatMap((term, index) =>
      cut.flatMap((found, at): Occurrence[] => {
        const count = found.filter((one) => one === term).length
        return count === 0 || !visible.has(rowOf(ids[at] ?? ''))
          ? []
          : [{ row: rowOf(ids[at] ?? ''), term: index, count }]
      }),
    )
    return rank({
      ...asked,
      terms: terms.length,
      occurrences,
      visible,
      lengths: new Map(cut.map((found, at) => [rowOf(ids[at] ?? ''), found.length])),
      project: { items: Math.max(1, counted.length), terms: Math.max(1, counted.flat().length) },
      hits: hits
        .map(({ item, similarity, semantic }) => ({ row: rowOf(item), similarity, semantic }))
        .filter(({ row }) => visible.has(row)),
    })
  }

  return { owner, member, ids, rowOf, bySql, byRank }
}
