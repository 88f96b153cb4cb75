/** @module-tag long */
import { expect, test } from 'vitest'
import type { AuthContext } from '../../../src/core/context.ts'
import { isAppError } from '../../../src/core/errors.ts'
import { batch } from '../../../src/memory/operations/batch.ts'
import { update } from '../../../src/memory/operations/update.ts'
import { backoffMs } from '../../../src/core/values/backoff.ts'
import { MAX_ATTEMPTS, PAUSES } from '../../../src/memory/write/attempts.ts'
import { interrupted } from '../../support/interrupted.ts'
import { ctxOf, stored } from '../../support/search.ts'
import { newTenant, type Tenant } from '../../support/world.ts'

const retag = (ctx: AuthContext, id: string, tag: string) =>
  update(ctx, { id, input: { tags: [tag] }, ifMatch: null }).then(
    ({ version }) => version,
    (error: unknown) => (isAppError(error) ? error.code : error),
  )

const isCommit = (batches: number): boolean => batches % 2 === 1
/** Nobody pauses. */
const random = (bytes: number) => new Uint8Array(bytes)

/** Each of the first `losses` commits of the request comes right after a change by another. */
const losing = (tenant: Tenant, id: string, losses: number): AuthContext =>
  ctxOf(tenant, {
    random,
    db: interrupted(async (batches) => {
      if (isCommit(batches) && batches < 2 * losses) await retag(ctxOf(tenant), id, `theirs ${batches}`)
    }),
  })

test('16 writers of one item at once, without If-Match, all get through, even where one round lets only one through', async () => {
  const tenant = await newTenant()
  const { id } = await stored(ctxOf(tenant), 'one')
  const writers = Array.from({ length: 16 }, (_, n) => n)
  let running = writers.length
  let ready: (() => void)[] = []
  /** All that still run commit together, each on what it read before any of them committed. */
  const commitWhenAllAreReady = () => {
    if (ready.length < running) return
    for (const commit of ready.splice(0)) commit()
  }
  const meeting = () =>
    interrupted(async (batches) => {
      if (!isCommit(batches)) return
      await new Promise<void>((commit) => {
        ready = [...ready, commit]
        commitWhenAllAreReady()
      })
    })
  const write = async (n: number) => {
    const version = await retag(ctxOf(tenant, { random, db: meeting() }), id, `t${n}`)
    running -= 1
    commitWhenAllAreReady()
    return version
  }
  expect(new Set(await Promise.all(writers.map(write)))).toEqual(new Set(writers.map((n) => n + 2)))
})

test('a change gets through after it lost 15 times, and is 409 after 16; one of a list after it lost 3 times', async () => {
  const tenant = await newTenant()
  const { id } = await stored(ctxOf(tenant), 'one')
  expect(await retag(losing(tenant, id, 15), id, 'mine')).toBe(17)
  expect(await retag(losing(tenant, id, 16), id, 'mine')).toBe('conflict')
  const operations = [
    { op: 'update', id, tags: ['mine'] },
    { op: 'retrieve', id },
  ]
  const changed = async (losses: number) => (await batch(losing(tenant, id, losses), { operations })).results[0]
  expect(await changed(3)).toMatchObject({ status: 'success' })
  expect(await changed(4)).toMatchObject({ status: 'error', error: { code: 'conflict' } })
})

test('pauses grow with each attempt, are random from 0 to their bound, and end within 2.5 s in all', () => {
  const bounds = Array.from({ length: MAX_ATTEMPTS.one - 1 }, (_, index) => backoffMs(index + 1, PAUSES))
  expect(bounds.slice(0, 6)).toEqual([10, 20, 40, 80, 160, 200])
  expect(bounds.reduce((sum, pause) => sum + pause)).toBeLessThan(2_500)
  expect([backoffMs(5, PAUSES, 0), backoffMs(5, PAUSES, 0.5)]).toEqual([0, 80])
})
