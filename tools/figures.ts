import type { Figure, Source } from './check-figures.ts'
import { CONTRACT } from './figures-contract.ts'

/** The number of a limit of contract §6. */
const limit = (name: string): Source => ['src/limits/limits.ts', new RegExp(`^  '?${name}'?: \\{ limit: (\\d+),`, 'm')]

const POLICY = 'src/limits/limits.ts'
const EVENTS_KEPT = 'src/events/outbox.ts#KEPT_MS'

/** Every figure that a document and the code state, with its place in the code. */
export const FIGURES: Record<string, Figure[]> = {
  'README.md': [
    ['recoverable for #', EVENTS_KEPT],
    ['Any Node from # on', ['package.json', /"node": ">=(\d+)"/]],
  ],
  'docs/cli.md': [
    ['runs on Node # and later', ['client/package.json', /"node": ">=([\d.]+)"/]],
    [
      'after #, # and # seconds',
      ['client/src/cli/listen/forward.ts', /RETRY_WAITS_MS = \[(\d+)_000,/, 's'],
      ['client/src/cli/listen/forward.ts', /RETRY_WAITS_MS = \[[^,]+, (\d+)_000,/, 's'],
      ['client/src/cli/listen/forward.ts', /RETRY_WAITS_MS = \[[^,]+,[^,]+, (\d+)_000\]/, 's'],
    ],
    ['each after # at most', ['client/src/cli/listen/forward.ts', /ATTEMPT_MS = (\d+)_000/, 's']],
    ['its lines, # at most', ['client/src/cli/import/calls.ts', /CALL_LINES = (\d+)/]],
  ],
  'docs/contract.md': CONTRACT,
  'docs/realtime.md': [
    ['may have # connections', 'MAX_SOCKETS'],
    ['required, up to # names', 'MAX_CHANNELS'],
    ['up to # printable', 'MAX_CLIENT_ID_CHARACTERS'],
    ['# unacknowledged messages', 'MAX_UNACKNOWLEDGED'],
    [
      'More than # messages in #',
      limit('events.socket'),
      [POLICY, /'events\.socket': .*windowMs: (\d+) \* SECOND_MS/, 's'],
    ],
    ['one of more than #', 'MAX_FRAME_BYTES'],
    ['or # events behind', 'MAX_UNACKNOWLEDGED'],
    ['tried again # later', 'UNREACHED_DELAY_SECONDS'],
    ['older than #', 'RESUMABLE_MS'],
    ['more than # events were made since', 'MAX_MISSED'],
    ['looks at # events that the user may read, and sends #', 'MAX_SCANNED_ROWS', 'MAX_HELD_CHARACTERS'],
    ['gone after #', 'TYPING_LIFE_MS'],
  ],
  'docs/versioning.md': [
    ['batch with more than # characters of text', 'MAX_TEXT_CHARACTERS'],
    ['after # of texts and metadata it ends', 'src/memory/filter/scan.ts#MAX_ANSWER_BYTES'],
    ['or # of earlier texts', 'MAX_VERSIONS_BYTES'],
  ],
}
