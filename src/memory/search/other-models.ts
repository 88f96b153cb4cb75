import type { AuthContext } from '../../core/context.ts'
import { BoundedMap } from '../../core/values/bounded-map.ts'

/** An isolate believes for this long that no item is of another model: only another deployment could have embedded one since. */
const BELIEVED_MS = 10_000

const MAX_MODELS = 100

const noneSeenAt = new BoundedMap<string, number>(MAX_MODELS)

const keyOf = ({ embedder: { model, dimension } }: AuthContext): string => `${model} ${dimension}`

/** False where a search shortly before saw no item of another model: counting those costs a quarter of the statement. */
export function mayHaveOthers(ctx: AuthContext): boolean {
  const passed = ctx.now() - (noneSeenAt.get(keyOf(ctx)) ?? -Infinity)
  return passed < 0 || passed >= BELIEVED_MS
}

export function rememberOthers(ctx: AuthContext, seen: boolean): void {
  if (seen) noneSeenAt.delete(keyOf(ctx))
  else noneSeenAt.set(keyOf(ctx), ctx.now())
}
