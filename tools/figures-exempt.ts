import type { Exempt } from './check-figures.ts'
import { CONTRACT_EXEMPT } from './figures-contract.ts'

const PLATFORM = "a limit of Cloudflare's"

/** Figures that are not in the code. */
export const EXEMPT: Record<string, Exempt[]> = {
  'docs/architecture.md': [
    [PLATFORM, '**Durable Objects** take…100 texts an embedding call'],
    ['of the form of an id', 'first two characters'],
  ],
  'docs/cli.md': [['200 lines at the pace of an import', 'about two seconds']],
  'docs/contract.md': CONTRACT_EXEMPT,
  'docs/portal.md': [
    [
      'of the style sheet, which browser tests look at',
      'at least 4.5:1',
      'below 720 px',
      'below 900 px',
      '390 and 1280 px',
    ],
  ],
  'docs/versioning.md': [['a promise about announcements', 'at least six months']],
}
