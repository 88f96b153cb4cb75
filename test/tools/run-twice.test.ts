import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../../tools/wrangler.ts'

/** Files of the two projects in the runtime. */
const files = globSync('{test,client/test}/**/*.test.{ts,tsx}', {
  cwd: ROOT,
  exclude: ['test/{e2e,tools,shards}/**', 'client/test/{package,cli}/**', 'test/auth/directory/**'],
}).toSorted()
const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const runTwice = files.filter((file) => textOf(file).includes('@module-tag shards'))

const KEEPS_APART = /(another|of one) tenant|round trip|\bsecurity (26|28|57|90|91)\b/

/** What has the words of such a promise and no shard behind it, with the reason. */
const ONE_DATABASE: [folder: string, why: string][] = [
  ['test/core/', 'works on whatever database it is given'],
  ['test/audit/objects/format.', 'reads bytes'],
  ['test/memory/item-order.', 'reads cursors and no row'],
  ['client/test/langgraph.', 'asks the public API, which keeps users apart elsewhere'],
]

test('whatever keeps tenants apart, holds a budget of round trips, is a port or is for operators runs with three shards too', () => {
  const due = files.filter((file) => /^test\/(contracts|operator)\//.test(file) || KEEPS_APART.test(textOf(file)))
  const left = due.filter((file) => !runTwice.includes(file))
  const excusing = (file: string) => ONE_DATABASE.find(([folder]) => file.startsWith(folder))
  expect(left.filter((file) => !excusing(file))).toEqual([])
  expect(new Set(left.map(excusing)).size).toBe(ONE_DATABASE.length)
})
