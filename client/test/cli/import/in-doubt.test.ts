import { expect, test } from 'vitest'
import { EXIT } from '../../../src/cli/exit-codes.ts'
import { runImport, type ImportRequest } from '../../../src/cli/import/run-import.ts'
import { down, fakeService, fileOf, request } from '../support/import-service.ts'
import { testIo } from '../support/io.ts'

const HOUR = 3_600_000
const MINUTE = 60_000
/** A day without the time that a call may take. */
const LONGEST = 24 * HOUR - 10 * MINUTE

/** An import of 600 lines whose second call was stored and not answered. `later` goes on with it. */
async function brokenImport(more?: (n: number) => object) {
  const { io, home, clock } = testIo()
  const { file, lines } = await fileOf(600, home, more)
  const { target, calls, stored, forgetKeys } = fakeService(
    () => null,
    (call) => (call === 2 ? down() : null),
  )
  await expect(runImport(io, target, request(file))).rejects.toThrow('cannot be reached')
  const later = (ms: number, options: Partial<ImportRequest> = {}) => {
    clock.now += ms
    if (ms >= 24 * HOUR) forgetKeys()
    return runImport(io, target, request(file, options))
  }
  return { io, clock, target, file, lines, calls, stored, later }
}

test('a call without an answer is sent again with its key as long as the service surely keeps it', async () => {
  const { later, calls, stored, lines } = await brokenImport()
  expect(await later(LONGEST)).toMatchObject({ created: 600, in_doubt: 0 })
  expect(calls[2]?.key).toBe(calls[1]?.key)
  expect(stored).toEqual(lines)
})

test('after that it is not sent again unasked, and the failure names the lines and what to do', async () => {
  const { later, calls } = await brokenImport()
  const failure = await later(LONGEST + 1).catch((error: unknown) => error)
  expect(failure).toMatchObject({
    exit: EXIT.conflict,
    message: 'In this import, line 201 to line 400 were sent on 2026-11-22 12:00 UTC, but no response arrived.',
    hint: expect.stringMatching(/--in-doubt skip or --in-doubt send/),
  })
  expect(calls).toHaveLength(2)
})

test('--in-doubt skip goes on behind these lines, and counts them', async () => {
  const { later, stored, lines } = await brokenImport()
  await expect(later(30 * HOUR)).rejects.toThrow('no response arrived')
  expect(await later(0, { inDoubt: 'skip' })).toMatchObject({ done: 600, created: 400, in_doubt: 200 })
  expect(stored).toEqual(lines)
})

test('--in-doubt send sends them, and its own broken call is waited for again', async () => {
  const { io, later, target, file, stored } = await brokenImport()
  await expect(later(30 * HOUR)).rejects.toThrow('no response arrived')
  const broken = { ...target, importLines: () => Promise.reject(down()) }
  await expect(runImport(io, broken, request(file, { inDoubt: 'send' }))).rejects.toThrow('cannot be reached')
  expect(await later(HOUR)).toMatchObject({ done: 600, created: 600, in_doubt: 0 })
  // The second call twice, as was asked for.
  expect(stored).toHaveLength(800)
})

test('the time of the first try counts, not that of a later one', async () => {
  const { io, clock, later, target, file } = await brokenImport()
  clock.now += HOUR
  const broken = { ...target, importLines: () => Promise.reject(down()) }
  await expect(runImport(io, broken, request(file))).rejects.toThrow('cannot be reached')
  await expect(later(LONGEST - HOUR + 1)).rejects.toThrow('no response arrived')
})

test('a clock that was set back tells nothing', async () => {
  const { later } = await brokenImport()
  await expect(later(-11 * MINUTE)).rejects.toThrow('no response arrived')
})

test('lines with a custom_id are sent again at any time: they update their items', async () => {
  const { later } = await brokenImport((n) => ({ custom_id: `line-${n}` }))
  expect(await later(100 * HOUR)).toMatchObject({ created: 600, in_doubt: 0 })
})

test('an import that stopped between two calls goes on at any time', async () => {
  const { io, home, clock, interrupt } = testIo()
  const { file, lines } = await fileOf(600, home)
  const { target, stored, forgetKeys } = fakeService((call) => (call === 2 ? (interrupt.abort(), null) : null))
  expect(await runImport(io, target, request(file))).toMatchObject({ done: 400, stopped: true })
  const again = testIo({ env: { HOME: home } })
  again.clock.now = clock.now + 1_000 * HOUR
  forgetKeys()
  expect(await runImport(again.io, target, request(file))).toMatchObject({ created: 600, in_doubt: 0 })
  expect(stored).toEqual(lines)
})
