import type { Exempt } from './check-figures.ts'
import { CONTRACT_EXEMPT } from './figures-contract.ts'

const PLATFORM = "a limit of Cloudflare's"
const MEASURED = 'measured'

/** Figures that are not in the code. */
export const EXEMPT: Record<string, Exempt[]> = {
  'docs/architecture.md': [
    [PLATFORM, '**Durable Objects** take…100 texts an embedding call'],
    ['of the form of an id', 'first two characters'],
  ],
  'docs/cli.md': [['200 lines at the pace of an import', 'about two seconds']],
  'docs/contract.md': CONTRACT_EXEMPT,
  'docs/operations.md': [
    [PLATFORM, '**Within 30 days', '(10 GB)', 'D1 takes 10 GB', '3 MB on its free plan and 10 MB on a paid one'],
    [MEASURED, '3.9 MB compressed'],
    ['of the attempts and their back-off together', 'After five hours they are `failed`'],
    ['counted in wrangler.toml', 'two D1 databases, ten queues'],
    ['advice', 'hold for five minutes'],
    ['of the window, the queue and its consumer together', 'some 15 seconds'],
  ],
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
