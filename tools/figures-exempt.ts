import type { Exempt } from './check-figures.ts'
import { CONTRACT_EXEMPT } from './figures-contract.ts'

const PLATFORM = "a limit of Cloudflare's"

/** Figures that are not in the code. */
export const EXEMPT: Record<string, Exempt[]> = {
  'docs/cli.md': [['200 lines at the pace of an import', 'about two seconds']],
  'docs/contract.md': CONTRACT_EXEMPT,
  'docs/versioning.md': [['a promise about announcements', 'at least six months']],
}
