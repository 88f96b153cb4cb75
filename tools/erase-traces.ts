import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Erases what wrangler's trace store has kept in a folder of data before it was switched off (tools/wrangler.ts): whole URLs,
 * and with them tokens. Returns whether there was any.
 */
export function eraseTraces(state: string): boolean {
  const folder = join(state, 'v3/observability')
  if (!existsSync(folder)) return false
  rmSync(folder, { recursive: true, force: true })
  return true
}
