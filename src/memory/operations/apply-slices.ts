import type { AuthContext } from '../../core/context.ts'
import { claimKeeper } from '../../core/idempotency/claim.ts'
import { applyWithin, type Applied, type ApplyOptions, type Replay } from '../write/apply.ts'
import type { Operation, OperationResult } from '../write/operation.ts'
import type { TooMuch } from '../write/snapshot.ts'
import { MAX_STORED_BYTES } from '../write/stored-costs.ts'
import { maxStoredBytes, textSlices } from './text-slices.ts'
import { asWaiting, waitForPermit } from './wait-for-permit.ts'

interface Numbered {
  operation: Operation
  number: number
}

type Slice = readonly Numbered[]

/** Runs operations in as many commits as they cost, one where they are `atomic`. */
export async function applyAll(ctx: AuthContext, operations: Slice, atomic: boolean): Promise<OperationResult[]> {
  if (operations.length === 0) return []
  if (atomic) return applyAtomic(ctx, operations)
  const slices = textSlices(operations)
  const [only] = slices
  if (slices.length > 1 || !only) return asWaiting(ctx, 'long', () => applySlices(ctx, slices))
  const applied = await applySlice(ctx, only, maxStoredBytes(only.map(({ operation }) => operation)))
  if (applied.kind === 'applied') return applied.results
  return asWaiting(ctx, 'long', () => applyWide(ctx, only, applied, claimKeeper(ctx)))
}

/** An atomic batch is one commit whatever it touches, but large items are read in parts, at the pace of slices. */
async function applyAtomic(ctx: AuthContext, operations: Slice): Promise<OperationResult[]> {
  const applied = await applySlice(ctx, operations, MAX_STORED_BYTES, { atomic: true })
  if (applied.kind === 'applied') return applied.results
  const keepClaim = claimKeeper(ctx)
  const beforeEachRead = (): Promise<void> => untilPermitted(ctx, keepClaim)
  return asWaiting(ctx, 'long', () => applyWhole(ctx, operations, { atomic: true, beforeEachRead }))
}

async function applySlices(ctx: AuthContext, slices: readonly Slice[]): Promise<OperationResult[]> {
  const keepClaim = claimKeeper(ctx)
  const results: OperationResult[] = []
  for (const [at, slice] of slices.entries()) {
    if (at > 0) await untilPermitted(ctx, keepClaim)
    const applied = await applySlice(ctx, slice, maxStoredBytes(slice.map(({ operation }) => operation)))
    results.push(...(applied.kind === 'applied' ? applied.results : await applyWide(ctx, slice, applied, keepClaim)))
  }
  return results
}

/** Runs the operations of a slice that turned out to touch large items, by the costs that the database told. */
async function applyWide(
  ctx: AuthContext,
  slice: Slice,
  { costs }: TooMuch,
  keepClaim: () => Promise<void>,
): Promise<OperationResult[]> {
  const results: OperationResult[] = []
  for (const [at, part] of textSlices(slice, costs).entries()) {
    if (at > 0) await untilPermitted(ctx, keepClaim)
    results.push(...(await applyWhole(ctx, part)))
  }
  return results
}

/** Other requests take their turn between two slices, each of which costs as much as the store of a large text. */
const untilPermitted = (ctx: AuthContext, keepClaim: () => Promise<void>): Promise<void> =>
  waitForPermit(ctx, 'memory.store', 'batch', keepClaim)

/** One commit, whatever it costs. */
export async function applyWhole(
  ctx: AuthContext,
  slice: Slice,
  options: ApplyOptions = {},
): Promise<OperationResult[]> {
  const applied = await applySlice(ctx, slice, null, options)
  if (applied.kind === 'too_much') throw new Error('without a bound nothing is too much')
  return applied.results
}

/** One commit. `maxCost` bounds the stored items that the slice touches, in bytes. */
export async function applySlice(
  ctx: AuthContext,
  slice: Slice,
  maxCost: number | null,
  options: ApplyOptions = {},
): Promise<Exclude<Applied, Replay> | TooMuch> {
  const operations = slice.map(({ operation }) => operation)
  const numbers = slice.map(({ number }) => number)
  const applied = await applyWithin(ctx, operations, maxCost, { ...options, numbers })
  if (applied.kind === 'replay') throw new Error('only a store of its own commits an idempotency key')
  return applied
}
