import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { testIo } from '../support/io.ts'

const RACERS = 4
const ROUNDS = 15
const PROGRAM = join(import.meta.dirname, '../support/lock-racer.ts')

/** A process that takes the lock once for each line, and then says whether it was alone. */
function startRacer(path: string) {
  const child = spawn(process.execPath, [PROGRAM, path], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.stdin.end()
    await ended
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    go: () => child.stdin.write('go\n'),
    said: async () => (await lines.next()).value,
  }
}

test('processes that find the lock of one that died never hold it together', { timeout: 60_000 }, async () => {
  const path = join(testIo().home, 'a.lock')
  const racers = Array.from({ length: RACERS }, () => startRacer(path))
  for (const { said } of racers) expect(await said()).toBe('ready')
  for (let round = 0; round < ROUNDS; round += 1) {
    // Old, without a holder: what a crash of an earlier version left.
    await writeFile(path, '')
    await utimes(path, 1, 1)
    for (const { go } of racers) go()
    expect(await Promise.all(racers.map(({ said }) => said()))).toEqual(racers.map(() => 'alone'))
  }
})
