import { expect, test } from 'vitest'
import { pieceTrie, PieceTrie } from '../../../src/backends/embedded/piece-trie.ts'
import vocabulary from '../../../src/backends/embedded/vocab.txt'

const small = new PieceTrie(['[PAD]', 'a', 'abc', '##b', '##bcd', 'é', ''].join('\n'))

/** The pieces that are added, and where the longest one ends. */
function longest(trie: PieceTrie, text: string, { start = 0, end = text.length, continues = false } = {}) {
  const pieces: number[] = []
  const units = Uint16Array.from(text, (_, at) => text.charCodeAt(at))
  return [trie.addLongest(units, start, end, continues, pieces), ...pieces]
}

test('the longest piece that a text begins with, and where it ends', () => {
  expect(longest(small, 'abd')).toEqual([1, 1])
  expect(longest(small, 'abcd')).toEqual([3, 2])
  expect(longest(small, 'xabc', { start: 1 })).toEqual([4, 2])
  expect(longest(small, 'ABC')).toEqual([3, 2])
  expect(longest(small, 'é')).toEqual([1, 5])
})

test('nothing behind the end counts', () => {
  expect(longest(small, 'abc', { end: 2 })).toEqual([1, 1])
  expect(longest(small, 'abc', { end: 0 })).toEqual([0])
})

test('a piece that begins a word continues none, and the other way round', () => {
  expect(longest(small, 'bcd')).toEqual([0])
  expect(longest(small, 'abcd', { start: 1, continues: true })).toEqual([4, 4])
  expect(longest(small, 'abc', { start: 1, continues: true })).toEqual([2, 3])
  expect(longest(small, 'abc', { continues: true })).toEqual([0])
})

test('each piece of the vocabulary is found by its own text', () => {
  const pieces = vocabulary.trimEnd().split('\n')
  const asWord = pieces.flatMap((piece, id) => (piece === piece.toLowerCase() ? [{ piece, id }] : []))
  expect(asWord.length).toBeGreaterThan(30_000)
  const lost = asWord.filter(({ piece, id }) => {
    const continues = piece.startsWith('##')
    const text = continues ? piece.slice(2) : piece
    const [end, found] = longest(pieceTrie(), text, { continues })
    return end !== text.length || found !== id
  })
  expect(lost).toEqual([])
})

test('a vocabulary of more nodes than the trie has is refused', () => {
  const pieces = Array.from({ length: 14_000 }, (_, nth) => `${nth.toString().padStart(5, '0')}wxyz\n`)
  expect(() => new PieceTrie(pieces.join(''))).toThrow('too many nodes')
})
