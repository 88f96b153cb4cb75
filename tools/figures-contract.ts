import type { Exempt, Figure, Source } from './check-figures.ts'

const POLICY = 'src/limits/policy.ts'
/** The number of a limit, if its window is as long as the document says. */
const limit = (name: string, window: 'SECOND' | 'MINUTE' | 'HOUR'): Source => [
  POLICY,
  new RegExp(`^  '?${name}'?: \\{ limit: (\\d+), windowMs: ${window},`, 'm'),
]
const ITEM = 'src/memory/item.ts'
const KEYS = 'src/core/http/idempotency.ts'
const FIELDS = 'src/core/http/cursor.ts'
const SEARCH = 'src/memory/operations/search.ts'
const PROJECT = 'src/identity/projects/project.ts'
const ROTATE = 'src/identity/api-keys/rotate.ts'

const WINDOWS = { s: 'SECOND', min: 'MINUTE', h: 'HOUR' } as const
const row = (operation: string, name: string, unit: keyof typeof WINDOWS): Figure => [
  `| ${operation} | # / ${unit}`,
  limit(name, WINDOWS[unit]),
]

/** Every figure of docs/contract.md that the code says. */
export const CONTRACT: Figure[] = [
  ['A body has at most #,', 'DEFAULT_MAX_BYTES'],
  ['an import at most #. An import has at most # lines', 'src/memory/operations/batch.ts#MAX_BYTES', 'MAX_LINES'],
  [
    'An error body is at most #, whatever the request holds. It has at most # `errors`',
    'MAX_ERROR_BYTES',
    'MAX_ERRORS',
  ],
  ['cut after # characters', 'MAX_KEY_CHARACTERS'],
  ['1..# printable characters) works', [KEYS, /\\x7e\]\{1,(\d+)\}/]],
  ['tenant + user + path and is kept for #', `${KEYS}#KEPT_MS`],
  ['is freed # after', 'RUNNING_MS'],
  ['`limit` 1..# (default #)', [FIELDS, /\.max\((\d+)\)\.default/], [FIELDS, /\.default\((\d+)\)/]],
  ['A code lives #', 'CODE_TTL_MS'],
  ['expires_in: #, refresh_token', 'ACCESS_TTL_SECONDS'],
  ['grace window (#', ['src/auth/apps/app.ts', /DEFAULT_GRACE_SECONDS = (\d+)/, 's']],
  ['{session_token, expires_in: #, device_token}', 'SESSION_SECONDS'],
  ['stay known for #', 'DEVICE_KNOWN_MS'],
  [
    'A password has #..# characters',
    ['src/auth/passwords/password.ts', /NewPassword = text\((\d+)/],
    ['src/auth/passwords/password.ts', /NewPassword = text\(\d+, (\d+)/],
  ],
  ['The link works within #', 'src/identity/members/make-reset-link.ts#LIFE_MS'],
  [
    '`overlap_seconds` 0..#, default #',
    [ROTATE, /\.max\(([\d_]+)\)\.default/],
    [ROTATE, /\.max\([\d_]+\)\.default\(([\d_]+)\)/],
  ],
  ['`content.text` has 1..# characters', 'MAX_TEXT_CHARACTERS'],
  ['at most # as JSON, depth #', 'src/memory/metadata.ts#MAX_BYTES', 'src/memory/metadata.ts#MAX_DEPTH'],
  ['`session_id` (up to # characters)', [ITEM, /ContextId = text\(1, (\d+)\)/]],
  ['`context.namespace` has 1..# of', [ITEM, /Namespace = .*\{1,(\d+)\}/]],
  ['at most #, each 1..# characters', 'MAX_TAGS', [ITEM, /trim\(\)\.pipe\(text\(1, (\d+)\)\)/]],
  ['whole seconds 1..#', 'MAX_TTL_SECONDS'],
  ['up to # changes of one item at once', 'src/memory/write/attempts.ts#MAX_ATTEMPTS.one'],
  ['`custom_id` has 1..# characters', [ITEM, /CustomId = text\(1, (\d+)\)/]],
  ['`wait_ms` 0..#', ['src/memory/operations/store.ts', /wait_ms: .*\.max\(([\d_]+)\)/]],
  ['the last # earlier texts', 'MAX_VERSIONS'],
  ['`dry_run`; up to # a call', 'MAX_DELETED'],
  ['{query (1..# characters)', [SEARCH, /query: text\(1, ([\d_]+)\)/]],
  ['limit? (1..#, #)', [SEARCH, /limit: .*\.max\((\d+)\)/], [SEARCH, /limit: .*\.default\((\d+)\)/]],
  ['to depth #', 'src/memory/filter.ts#MAX_DEPTH'],
  ['at most # conditions and, in all of them together, # values', 'MAX_CONDITIONS', 'src/memory/filter.ts#MAX_VALUES'],
  ['a metadata path have at most # characters', 'MAX_FILTER_CHARACTERS'],
  ['filters looks at # items', 'MAX_PAGE_ITEMS'],
  [
    'more than # conditions, or more than # values, acquires # permits',
    'LARGE_FILTER_CONDITIONS',
    'LARGE_FILTER_VALUES',
    'LARGE_FILTER_PERMITS',
  ],
  ['(counted to #)', 'MAX_PENDING'],
  ['[1..# of', 'MAX_BATCH_OPERATIONS'],
  ['`AUDIT_RETENTION_DAYS` (#)', ['wrangler.toml', /AUDIT_RETENTION_DAYS = "(\d+)"/]],
  ['{name (1..#)', [PROJECT, /name: text\(1, (\d+)\)/]],
  ['description? (0..#)', [PROJECT, /description: text\(0, ([\d_]+)\)/]],
  ['icon? (0..#)', [PROJECT, /icon: text\(0, (\d+)\)/]],
  ['An invitation is valid for #', 'INVITATION_LIFE_MS'],
  ['at most # members', 'MAX_MEMBERS'],
  ['`data` is an object of at most #.', 'MAX_DATA_BYTES'],
  ['(overlap #)', 'OVERLAP_MS'],
  ['It ends after #;', 'TIMEOUT_MS'],
  ['after #, #, #, #, #, #, #, each ±#', 'PAUSES_MS', 'JITTER'],
  ['honoured up to #', 'MAX_RETRY_AFTER_MS'],
  ['# of nothing but failures', 'FAILING_MS'],
  ['disabled waits (#)', 'WAITS_MS'],
  ['one of # permits a minute', limit('events.delivery', 'MINUTE')],
  ['up to #, then `expired`', 'WAITS_MS'],
  ['sent in the last #', 'RESUMABLE_MS'],
  ['(up to #). An older or foreign id, or more than #', 'MAX_MISSED', 'MAX_MISSED'],
  ['frame over #', 'MAX_FRAME_BYTES'],
  ['fell # acknowledged', 'MAX_UNACKNOWLEDGED'],
  ['`expires_at`, # ahead', 'TYPING_LIFE_MS'],
  ['deliveries and attempts are kept for #', 'src/events/outbox.ts#KEPT_MS'],
  row('store', 'memory.store', 's'),
  row('retrieve (both paths)', 'memory.retrieve', 's'),
  row('search (and list with `q`)', 'memory.search', 's'),
  ['| batch | # / s, # operations each', limit('memory.batch', 'SECOND'), 'MAX_BATCH_OPERATIONS'],
  row('OAuth token requests', 'oauth.token', 'min'),
  row('API key requests', 'api-key', 's'),
  row('login attempts (and register-user)', 'login', 'min'),
  [
    '| wrong passwords of an account | # in #, # / h',
    [POLICY, /password: \{ limit: (\d+)/],
    [POLICY, /password: .*windowMs: (\d+) \* MINUTE/, 'minute'],
    limit('password.hour', 'HOUR'),
  ],
  ['| … from unknown devices | # / h', limit('login.unknown', 'HOUR')],
  ['`Retry-After` of at most #', ['src/auth/passwords/acquire-attempt.ts', /'login\.unknown': ([\d_]+)/, 'ms']],
  ['| WebSocket connections | # at once', 'MAX_SOCKETS'],
  row('event publication', 'events.publish', 'min'),
  row('subscription creation', 'events.subscribe', 'h'),
  row('refused publications and creations', 'events.refused', 'min'),
  row('event delivery', 'events.delivery', 'min'),
  ['| other reads / writes | # / s, # / s', limit('read', 'SECOND'), limit('write', 'SECOND')],
  row('other unauthenticated calls', 'anonymous', 'min'),
  ['(whole number, default #)', [POLICY, /LIMITS_FACTOR \?\? (\d+)/]],
  ['is cached #, and', 'CACHED_MS'],
]

/** Figures of docs/contract.md that the code does not say. */
export const CONTRACT_EXEMPT: Exempt[] = [
  ['of the form of ids and tokens, which test/core holds', 'a 26-character ULID', '160 bits of randomness'],
  ['a promise about caches, which tests hold', 'access tokens within 60 s', 'Visible within a minute'],
  ['a range of the cosine', '(0..1)'],
  ['the first numbers out of bounds', '0 or 51 operations'],
  ['the number of the last attempt, one after the retries', 'the eighth attempt'],
  ['a target, which the bench measures', 'p95 < 50 ms', 'p95 < 100 ms', 'more than 1,000 requests'],
]
