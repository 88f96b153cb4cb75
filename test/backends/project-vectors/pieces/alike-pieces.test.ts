import { expect, test } from 'vitest'
import { pieceTable } from '../../../../src/backends/embedded/piece-table.ts'
import { wordPieces } from '../../../../src/backends/embedded/word-pieces.ts'
import { AlikePieces } from '../../../../src/backends/project-vectors/pieces/alike-pieces.ts'
import { PieceKernel } from '../../../../src/backends/project-vectors/pieces/piece-kernel.ts'
import { cosine, vectorOf } from '../../../support/plain-late-interaction.ts'

const table = await pieceTable()
const piece = (word: string): number => wordPieces(word)[0] ?? 0
const KINDRED = ['doctor', 'physician', 'nurse', 'hospital', 'tax', 'taxes', 'purple', 'seven', 'nine'].map(piece)

function kernelWith(pieces: readonly number[]): PieceKernel {
  const kernel = new PieceKernel(table)
  add(kernel, pieces)
  return kernel
}

/** A part with these pieces comes. */
function add(kernel: PieceKernel, pieces: readonly number[]): void {
  kernel.reserve(kernel.free + 2 * pieces.length)
  new Uint16Array(kernel.exports.memory.buffer, kernel.free, pieces.length).set(pieces)
  kernel.addLines(kernel.free, pieces.length)
}

/** The lines that `alike` was told to compare, by call. */
function comparisons(kernel: PieceKernel): number[] {
  const counts: number[] = []
  const own = kernel.exports
  const exports = {
    ...own,
    alike: (...args: Parameters<typeof own.alike>) => {
      counts.push(args[4])
      return own.alike(...args)
    },
  }
  Object.defineProperty(kernel, 'exports', { value: exports })
  return counts
}

const plainlyAlike = (asked: number, pieces: readonly number[]): number[] =>
  pieces.filter((other) => cosine(vectorOf(table, asked), vectorOf(table, other)) >= 0.35)

test('it is the pieces of a cosine of 0.35 or more, with their cosines', () => {
  const kernel = kernelWith(KINDRED)
  const lists = new AlikePieces(kernel).of(KINDRED, kernel.free)
  KINDRED.forEach((asked, nth) => {
    const { pieces = [], cosines = [] } = lists[nth] ?? {}
    expect(pieces).toEqual(plainlyAlike(asked, KINDRED))
    pieces.forEach((other, at) =>
      expect(cosines[at]).toBeCloseTo(cosine(vectorOf(table, asked), vectorOf(table, other)), 5),
    )
  })
  // The sample has both kinds.
  expect(lists[0]?.pieces.length).toBeGreaterThan(1)
  expect(lists[0]?.pieces.length).toBeLessThan(KINDRED.length)
})

test('a piece asked again is compared with what has come since, and with nothing else', () => {
  const kernel = kernelWith(KINDRED.slice(0, 4))
  const counts = comparisons(kernel)
  const alike = new AlikePieces(kernel)
  const asked = [piece('doctor'), piece('tax')]
  alike.of(asked, kernel.free)
  alike.of(asked, kernel.free)
  expect(counts).toEqual([4, 4])
  add(kernel, KINDRED)
  const [doctor, tax] = alike.of(asked, kernel.free)
  expect(counts).toEqual([4, 4, KINDRED.length - 4, KINDRED.length - 4])
  expect(doctor?.pieces).toEqual(plainlyAlike(piece('doctor'), KINDRED))
  expect(tax?.pieces).toEqual(plainlyAlike(piece('tax'), KINDRED))
})

test('beyond what it may keep it forgets the pieces that were asked longest ago, and compares them anew', () => {
  const kernel = kernelWith(KINDRED)
  const counts = comparisons(kernel)
  const [doctor, tax, purple] = [piece('doctor'), piece('tax'), piece('purple')]
  const likeOf = (asked: number): number => plainlyAlike(asked, KINDRED).length
  // Without the doctor half of the room is free.
  const room = 2 * (likeOf(tax) + likeOf(purple))
  expect(likeOf(doctor) + likeOf(tax)).toBeLessThanOrEqual(room)
  expect(likeOf(doctor) + likeOf(tax) + likeOf(purple)).toBeGreaterThan(room)
  const alike = new AlikePieces(kernel, room)
  const ask = (asked: number): number[] | undefined => alike.of([asked], kernel.free)[0]?.pieces
  ask(tax)
  ask(doctor)
  expect(ask(doctor)).toEqual(plainlyAlike(doctor, KINDRED))
  ask(tax)
  expect(counts.length).toBe(2)
  ask(purple)
  ask(tax)
  ask(purple)
  expect(counts.length).toBe(3)
  expect(ask(doctor)).toEqual(plainlyAlike(doctor, KINDRED))
  expect(counts.length).toBe(4)
})
