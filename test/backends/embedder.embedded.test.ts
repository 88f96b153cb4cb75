import { describe, expect, test } from 'vitest'
import { embeddedEmbedder } from '../../src/backends/embedder.embedded.ts'
import { wordPieces } from '../../src/backends/embedded/word-pieces.ts'
import { system } from '../support/world.ts'

describe('embedded', () => {
  test('a text of which no piece is known has no embedding, and the texts beside it have theirs', async () => {
    const texts = ['🫖🫖', 'tea', ' ', 'x'.repeat(101)]
    const embeddings = await system.embedder.embed(texts)
    expect(embeddings.map((embedding) => embedding !== null)).toEqual([false, true, false, false])
  })

  test('an embedding has the pieces of its text', async () => {
    const [embedding] = await embeddedEmbedder.embed(['Unsweetened tea?'])
    expect(embedding?.pieces).toEqual(Uint16Array.from(wordPieces('unsweetened tea?')))
  })

  test.each([
    ['What is the capital of Portugal?', 'capital Portugal'],
    ['"Who"… (was that) at No. 10?', '10'],
    ['Is the off-site on?', 'site'],
    ['How much is 3 % of $40?', 'much 3 $40'],
    ['who is he?', 'who is he?'],
    ['¿Qué?', 'Qué'],
  ])('a query has the pieces that say what it is about: %s', async (query, telling) => {
    const [asked] = await embeddedEmbedder.embed([query], 'query')
    const [text] = await embeddedEmbedder.embed([query], 'document')
    expect(asked?.pieces).toEqual(Uint16Array.from(wordPieces(telling)))
    expect(asked?.values).toEqual(text?.values)
    expect(text?.pieces).toEqual(Uint16Array.from(wordPieces(query)))
  })

  test('a chunk that brings its pieces has the embedding of its text', async () => {
    const text = 'Ada drinks unsweetened tea in the morning. '.repeat(30)
    const chunks = embeddedEmbedder.chunks(text)
    const texts = chunks.map(({ start, end }) => text.slice(start, end))
    const pieces = chunks.map((chunk) => chunk.pieces)
    expect(pieces).not.toContain(undefined)
    const known = await embeddedEmbedder.embed(texts, 'document', undefined, pieces)
    expect(known).toEqual(await embeddedEmbedder.embed(texts, 'document'))
    expect(await embeddedEmbedder.embed(['', ''], 'document', undefined, pieces)).toEqual(known.slice(0, 2))
  })

  test.each([
    ['What does Ada drink in the morning?', 1],
    ['who is he', 1],
    ['zzzz', 0],
    ['Wo wohnt mein Bruder?', 1 / 3],
    ['Где живёт мой брат?', 0],
    ['私の兄はどこに住んでいますか', 0],
    ['naïve café', 1],
    ['2026-11-22', 0],
    ['', 0],
    ['🫖', 0],
  ])('of the longer words of "%s" it knows %f', (query, share) => {
    expect(embeddedEmbedder.wordShare(query)).toBeCloseTo(share, 2)
  })
})
