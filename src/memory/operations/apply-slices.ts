import type { AuthContext } from '../../core/context.ts'
import { claimKeeper } from '../../core/http/idempotency-claim.ts'
import { apply } from '../write/apply.ts'
import type { Operation, OperationResult } from '../write/operation.ts'
import { requireOneCommit, storedSizes, textSlices } from './text-slices.ts'
import { asWaiting, waitForPermit } from './wait-for-permit.ts'

/** Runs operations in as many commits as their texts need, one where they are `atomic`. */
export async function applyAll(
  ctx: AuthContext,
  operations: readonly { operation: Operation; number: number }[],
  atomic: boolean,
): Promise<OperationResult[]> {
  const all = operations.map(({ operation }) => operation)
  const stored = await storedSizes(ctx, all)
  if (atomic) requireOneCommit(all, stored)
  const slices = atomic && operations.length > 0 ? [operations] : textSlices(operations, stored)
  const applied = () => applySlices(ctx, slices, atomic)
  return slices.length > 1 ? asWaiting(ctx, 'long', applied) : applied()
}

async function applySlices(
  ctx: AuthContext,
  slices: readonly (readonly { operation: Operation; number: number }[])[],
  atomic: boolean,
): Promise<OperationResult[]> {
  const keepClaim = claimKeeper(ctx)
  const results: OperationResult[] = []
  for (const [at, slice] of slices.entries()) {
    // Other requests take their turn between two slices, each of which costs as much as the store of a large text.
    if (at > 0) await waitForPermit(ctx, 'memory.store', 'batch', keepClaim)
    const applied = await apply(
      ctx,
      slice.map(({ operation }) => operation),
      { atomic, numbers: slice.map(({ number }) => number) },
    )
    if (applied.kind === 'replay') throw new Error('only a store of its own commits an idempotency key')
    results.push(...applied.results)
  }
  return results
}
