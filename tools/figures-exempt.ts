import type { Exempt } from './check-figures.ts'
import { CONTRACT_EXEMPT } from './figures-contract.ts'

const PLATFORM = "a limit of Cloudflare's"
const MEASURED = 'measured'
const HISTORY = 'a figure of the time, or of what was not chosen'

/** Figures that are not in the code. */
export const EXEMPT: Record<string, Exempt[]> = {
  'docs/architecture.md': [
    [PLATFORM, '**Durable Objects** take…100 texts an embedding call'],
    ['of the form of an id', 'first two characters'],
  ],
  'docs/cli.md': [['200 lines at the pace of an import', 'about two seconds']],
  'docs/contract.md': CONTRACT_EXEMPT,
  'docs/decisions.md': [
    ['of the protocol, and of its clients', 'A handshake is three requests'],
    [
      PLATFORM,
      'holds 16 KiB',
      'has six connections',
      "a queue's 128 KB",
      'Vectorize answers 100 parts',
      'an isolate has 128 MB',
    ],
    [
      MEASURED,
      'took it from 0.6 to 1.2 ms',
      'reads some 9,000 rows',
      'write 48 KB…write 256 rows',
      '0.3 s for 30,000 vectors, 3 s for 300,000',
      'for 50 ms',
      'held the database for 1.1 s',
      '20 of the widest are 5 MB…76 ms to read',
      'That is 20 to 30 ms…8 ms instead of 5',
      'two turns of the database of at most 20 ms',
      'five times as many as…took 52 ms',
      'in an index of 30 MB…without it 3 and 30',
      'a bulk deletion of 1,000 items…instead of 116',
      'one commit of a bulk delete took…8 to 15',
      'the dearest commit of a bulk delete takes 17 ms',
      'has up to 26 MB',
      '2 MiB took 25 times as long',
      'project of 10,000 items costs some 17 ms',
      'some 40 times',
      '200 bytes',
      'some fifteen times as fast',
      'first 10,000 stores',
      '0.1 to 0.4 ms for 16 KiB…into text (0.1 to 0.5 ms for 16 KiB)',
    ],
    [HISTORY, '35 bits of checksum', 'up to 20 large items were taken before', 'go as two messages'],
  ],
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
  'docs/scaling.md': [['a limit, a price, measured or an estimate, as the page says', 'Scaling…for a higher rate.']],
  'docs/versioning.md': [['a promise about announcements', 'at least six months']],
}
