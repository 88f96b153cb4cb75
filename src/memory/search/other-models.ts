import type { AuthContext } from '../../core/context.ts'
import type { Embedder } from '../../core/vectors.ts'

/** An isolate believes for this long that no item is of another model: only another deployment could embed one meanwhile. */
const BELIEVED_MS = 10_000

const noneSeenAt = new WeakMap<Embedder, number>()

/** False where a search shortly before saw no item of another model: counting those costs a quarter of the statement. */
export function mayHaveOthers(ctx: AuthContext): boolean {
  const passed = ctx.now() - (noneSeenAt.get(ctx.embedder) ?? -Infinity)
  return passed < 0 || passed >= BELIEVED_MS
}

export function rememberOthers(ctx: AuthContext, seen: boolean): void {
  if (seen) noneSeenAt.delete(ctx.embedder)
  else noneSeenAt.set(ctx.embedder, ctx.now())
}
