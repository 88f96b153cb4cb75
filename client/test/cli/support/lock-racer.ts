// A process of lock-race.test.ts: takes the lock for each line of its input, and says whether anybody else held it.
import { open, rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { withLock } from '../../../src/cli/config/lock.ts'

const [, , path = ''] = process.argv
const waits = { now: () => new Date().getTime(), sleep: () => setTimeout(1) }

/** A process that is alone creates the file, and erases it once others have had time to come. */
async function visit(): Promise<string> {
  const inside = `${path}.inside`
  try {
    await (await open(inside, 'wx')).close()
  } catch {
    return 'met another'
  }
  await setTimeout(2)
  await rm(inside)
  return 'alone'
}

console.log('ready')
for await (const _ of createInterface({ input: process.stdin })) console.log(await withLock(waits, path, visit))
