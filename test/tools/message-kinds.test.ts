import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../../tools/wrangler.ts'

/** One sends what is declared, the other sends bodies again that a consumer had no time for. */
const SENDERS = ['src/consumer.ts', 'src/core/work.ts']

test('every message is sent as work or as data, whose kinds are declared', () => {
  const senders = globSync('src/**/*.{ts,tsx}', { cwd: ROOT }).filter((file) =>
    /queues\.send\b/.test(readFileSync(join(ROOT, file), 'utf8')),
  )
  expect(senders.toSorted()).toEqual(SENDERS)
})
