import { expect, test } from 'vitest'
import { pieceFrequency } from '../../../src/backends/embedded/piece-frequency.ts'
import { wordPieces } from '../../../src/backends/embedded/word-pieces.ts'

const [the = 0] = wordPieces('the')
const [rare = 0] = wordPieces('spawned')
const [comma = 0] = wordPieces(',')
const [letter = 0] = wordPieces('q')

test('a piece is as frequent as its rank in the vocabulary says, and a part has it or not', () => {
  expect(the).toBe(1_996)
  expect(pieceFrequency(the)).toBeCloseTo(1 - Math.exp(-4), 9)
  expect(pieceFrequency(rare)).toBeLessThan(0.0003)
  let before = 1
  for (let piece = the; piece < 65_536; piece += 97) {
    const frequency = pieceFrequency(piece)
    expect(frequency).toBeGreaterThan(0)
    expect(frequency).toBeLessThan(before)
    before = frequency
  }
})

test('marks, letters, and pieces that no text has are stated by themselves', () => {
  expect([pieceFrequency(comma), pieceFrequency(letter), pieceFrequency(100)]).toEqual([0.1, 0.0015, 0])
})
