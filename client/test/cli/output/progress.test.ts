import { expect, test } from 'vitest'
import { counted, progressLine, startProgress } from '../../../src/cli/output/progress.ts'
import { testIo } from '../support/io.ts'

test.each([
  [0, 10, '░░░░░░░░░░░░░░░░░░░░░░░░   0 %  0 of 10  5/s'],
  [5, 10, '████████████░░░░░░░░░░░░  50 %  5 of 10  5/s'],
  [9_999, 10_000, '███████████████████████░  99 %  9,999 of 10,000  5/s'],
  [10, 10, '████████████████████████ 100 %  10 of 10  5/s'],
  [0, 0, '████████████████████████ 100 %  0 of 0  5/s'],
])('%i of %i', (done, total, line) => {
  expect(progressLine({ done, total, perSecond: 5, note: '' })).toBe(line)
})

test('a number has its noun in the singular or the plural', () => {
  expect([0, 1, 2_000].map((n) => counted(n, 'item'))).toEqual(['0 items', '1 item', '2,000 items'])
  expect([1, 2].map((n) => counted(n, 'event is', 'events are'))).toEqual(['1 event is', '2 events are'])
})

test('without a total it counts, and a note stands behind', () => {
  expect(progressLine({ done: 1_200, total: null, perSecond: 100, note: '3 failed' })).toBe(
    '1,200 items  100/s  3 failed',
  )
})

test('on a terminal the bar is drawn ten times a second at most, and at the end', () => {
  const { io, clock, err } = testIo({ terminal: true })
  const progress = startProgress(io, { total: 100 })
  for (let done = 1; done <= 100; done += 1) {
    clock.now += 10
    progress.show(done)
  }
  progress.end()
  expect(err().match(/ of 100/g)).toHaveLength(11)
  expect(err()).toContain('100 of 100')
  expect(err().endsWith('\r\u001b[2K')).toBe(true)
})

test('elsewhere nothing is drawn', () => {
  const { io, err } = testIo()
  const progress = startProgress(io, { total: 100 })
  progress.show(100)
  progress.say('A line.')
  progress.end()
  expect(err()).toBe('A line.\n')
})

test('the rate is that of this run', () => {
  const { io, clock, err } = testIo({ terminal: true })
  const progress = startProgress(io, { total: 1_000, from: 900 })
  clock.now += 10_000
  progress.show(1_000)
  expect(err()).toContain('10/s')
})
