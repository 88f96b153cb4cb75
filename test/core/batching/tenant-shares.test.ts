import { expect, test } from 'vitest'
import { LEAST_SHARE, TenantShares } from '../../../src/core/batching/tenant-shares.ts'

const MINUTE = 60_000
const BEARS = 10 * LEAST_SHARE

/** Asks so often, as far as the tenant has a share, and answers how many calls were made. */
function ask(shares: TenantShares, tenant: string, times: number, now: number): number {
  let made = 0
  for (let time = 0; time < times; time++) {
    if (shares.isSpent(tenant, now)) continue
    shares.count(tenant, now)
    made += 1
  }
  return made
}

test('a service that never fails is not shared out', () => {
  const shares = new TenantShares()
  ask(shares, 'B', 1, 0)
  expect(ask(shares, 'A', 100 * BEARS, 1)).toBe(100 * BEARS)
})

test('a tenant alone is not bounded, also after a failure', () => {
  const shares = new TenantShares()
  ask(shares, 'A', BEARS, 0)
  shares.fail(1)
  expect(ask(shares, 'A', BEARS, 2)).toBe(BEARS)
  expect(ask(shares, 'A', 3 * BEARS, MINUTE)).toBe(3 * BEARS)
})

test('after a failure two tenants have half each of what it bore, and what one leaves is not taken', () => {
  const shares = new TenantShares()
  ask(shares, 'A', BEARS, 0)
  expect(shares.isSpent('B', 0)).toBe(false)
  shares.fail(1)
  // This minute's share is spent, and the other's is not.
  expect(ask(shares, 'A', 1, 2)).toBe(0)
  expect(ask(shares, 'B', 5, 2)).toBe(5)
  expect(ask(shares, 'A', BEARS, MINUTE)).toBe(BEARS / 2)
  expect(ask(shares, 'B', BEARS, MINUTE)).toBe(BEARS / 2)
})

test('the shares end a minute after the last failure', () => {
  const shares = new TenantShares()
  ask(shares, 'A', BEARS, 0)
  expect(shares.isSpent('B', 0)).toBe(false)
  shares.fail(1)
  shares.fail(2)
  expect(shares.isSpent('A', MINUTE - 1)).toBe(true)
  shares.fail(MINUTE - 1)
  expect(ask(shares, 'B', 1, MINUTE)).toBe(1)
  expect(ask(shares, 'A', BEARS, 2 * MINUTE - 2)).toBe(BEARS / 2)
  expect(ask(shares, 'A', BEARS, 2 * MINUTE - 1)).toBe(BEARS)
})

test('a failure at the beginning of a minute knows what the minute before bore', () => {
  const shares = new TenantShares()
  ask(shares, 'A', BEARS, 0)
  ask(shares, 'B', 1, MINUTE)
  shares.fail(MINUTE)
  expect(ask(shares, 'A', BEARS, MINUTE)).toBe(BEARS / 2)
})

test('nobody is held back below the least share, however many tenants ask', () => {
  const shares = new TenantShares()
  for (let tenant = 0; tenant < 100; tenant++) ask(shares, `T${tenant}`, 1, 0)
  shares.fail(0)
  expect(ask(shares, 'A', BEARS, 0)).toBe(LEAST_SHARE)
})

test('after an idle time, and after a clock that went back, it begins anew', () => {
  for (const later of [10 * MINUTE, -1]) {
    const shares = new TenantShares()
    ask(shares, 'A', BEARS, 0)
    ask(shares, 'B', 1, 0)
    expect(ask(shares, 'A', 1, later)).toBe(1)
    shares.fail(later)
    expect(ask(shares, 'A', BEARS, later)).toBe(BEARS)
  }
})
