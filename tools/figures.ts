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
  'docs/accounts.md': [
    [
      '(#, # passes, # lane)',
      ['src/auth/passwords/password.ts', /memorySize: (\d+_\d+)/, 'KiB'],
      ['src/auth/passwords/password.ts', /iterations: (\d+)/],
      ['src/auth/passwords/password.ts', /parallelism: (\d+)/],
    ],
    ['past # in line', 'MAX_WAITING'],
    ['# a minute', limit('login')],
    [
      '# failures in #, # in an hour',
      limit('password'),
      [POLICY, /password: .*windowMs: (\d+) \* MINUTE_MS/, 'minute'],
      limit('password.hour'),
    ],
    ['# failures in an hour together', limit('login.unknown')],
    ['stored, so until # after', 'DEVICE_KNOWN_MS'],
    ['lives for #', 'SESSION_SECONDS'],
    ['within #', 'LIFE_MS'],
    ['at most # steps', 'MAX_STEPS'],
    ['gathered in the isolate for # (# locally)', 'WINDOW_MS.production', 'WINDOW_MS.local'],
    ['whose body takes more than #', 'SLOW_BODY_MS'],
    ['# later a hub forgets', 'DENIED_FOR_MS'],
  ],
  'docs/architecture.md': [
    ['Node # comes', ['package.json', /"node": "(\d+)\./]],
    ['a refusal for at most #', 'MEMORY_MS'],
    ['read again every #', 'REFRESH_MS'],
  ],
  'docs/auth.md': [
    ['code `rcc_` | #', 'CODE_TTL_MS'],
    ['access token `rca_` | #', 'ACCESS_TTL_SECONDS'],
    ['refresh token `rcr_` | #', 'REFRESH_TTL_MS'],
    ['grace window (# by default', ['src/auth/apps/app.ts', /DEFAULT_GRACE_SECONDS = (\d+)/, 's']],
    ['# token requests a minute', limit('oauth.token')],
  ],
  'docs/contract.md': CONTRACT,
  'docs/events.md': [
    ['not settled after #', 'src/events/outbox.ts#RESEND_AFTER_MS'],
    ['double up to #', 'LONGEST_RESEND_MS'],
    ['due for #', 'FIRST_RESEND_MS'],
    ['2xx within #', 'TIMEOUT_MS'],
    ['either secret for #', 'OVERLAP_MS'],
    ['again after #, #, #, #, #, #, # (±#)', 'PAUSES_MS', 'JITTER'],
    ['not before that, up to #', 'MAX_RETRY_AFTER_MS'],
    ['nothing but failures, #', 'FAILING_MS'],
    ['are `waiting`, for #', 'WAITS_MS'],
    ['(up to # a call)', 'MAX_RECOVERED'],
    ['one of # permits a minute', limit('events.delivery')],
    ['asked again after #', 'NO_ANSWER_PAUSE_MS'],
  ],
  'docs/memory.md': [
    ['one or up to #', 'MAX_BATCH_OPERATIONS'],
    [
      'a single operation has # attempts, those of a list have #',
      'src/memory/write/attempts.ts#MAX_ATTEMPTS.one',
      'src/memory/write/attempts.ts#MAX_ATTEMPTS.list',
    ],
    ['at most # characters', 'MAX_PARAMETER_CHARACTERS'],
    ['so # operations are', 'MAX_BATCH_OPERATIONS'],
    ['# later', 'REPEAT_AFTER_MS'],
    ['# a statement', 'PORTION_ROWS'],
  ],
  'docs/portal.md': [
    ['unauthenticated calls, # a minute', limit('anonymous')],
    [
      'at most # from anybody, # from a user, and # where',
      ['src/portal/route.ts', /public: (\d+) \* 1024,/, 'KiB'],
      ['src/portal/route.ts', /form: (1024) \* 1024,/, 'KiB'],
      ['src/portal/route.ts', /upload: (\d+) \* 1024 \* 1024/, 'MiB'],
    ],
    ['(AES-GCM, #)', ['src/portal/flash.ts', /LIFE_SECONDS = (\d+)/, 's']],
  ],
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
