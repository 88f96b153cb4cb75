import type { Exempt, Figure, Source } from './check-figures.ts'
import { CONTRACT, CONTRACT_EXEMPT } from './figures-contract.ts'

/** The number of a limit of contract §6. */
const limit = (name: string): Source => ['src/limits/policy.ts', new RegExp(`^  '?${name}'?: \\{ limit: (\\d+),`, 'm')]

const POLICY = 'src/limits/policy.ts'
const EVENTS_KEPT = 'src/events/outbox.ts#KEPT_MS'
const KEY_KEPT = 'src/core/http/idempotency.ts#KEPT_MS'
const TIER: Source = ['src/deps.ts', /'EXACT_TIER_MAX'\) \?\? ([\d_]+)/]
const DELIVERY_CONSUMER = /queue = "recollect-delivery"\n(?:#.*\n)*max_batch_size = (\d+)/
const CONCURRENCY = /queue = "recollect-delivery"\n(?:#.*\n)*(?:.*\n){3}max_concurrency = (\d+)/

/** Every figure that a document states and the code says, with the place where the code says it. */
export const FIGURES: Record<string, Figure[]> = {
  'README.md': [
    ['recoverable for #', EVENTS_KEPT],
    ['Any Node from # on', ['package.json', /"node": ">=(\d+)"/]],
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
      [POLICY, /password: .*windowMs: (\d+) \* MINUTE/, 'minute'],
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
  ],
  'docs/auth.md': [
    ['code `rcc_` | #', 'CODE_TTL_MS'],
    ['access token `rca_` | #', 'ACCESS_TTL_SECONDS'],
    ['refresh token `rcr_` | #', 'REFRESH_TTL_MS'],
    ['grace window (# by default', ['src/auth/apps/app.ts', /DEFAULT_GRACE_SECONDS = (\d+)/, 's']],
    ['# token requests a minute', limit('oauth.token')],
  ],
  'docs/contract.md': CONTRACT,
  'docs/decisions.md': [
    ['lives for # without use', 'REFRESH_TTL_MS'],
    ['more than the # events that a client', 'MAX_UNACKNOWLEDGED'],
    ['up to # a delivery for #', 'MAX_DATA_BYTES', EVENTS_KEPT],
    ['run # at a time, # messages each', ['wrangler.toml', CONCURRENCY], ['wrangler.toml', DELIVERY_CONSUMER]],
    ['that takes its # holds 25 connections at its # a minute', 'TIMEOUT_MS', limit('events.delivery')],
    ['take 100 lines a second…# lines take 50 s', 'MAX_LINES'],
    ['is freed # after', 'RUNNING_MS'],
    ['are kept by #', 'COUNT_STEP_MS'],
    ['counts backlogs to #', 'COUNTED_TO'],
    ['of # concurrent writers', 'src/memory/write/attempts.ts#MAX_ATTEMPTS.one'],
    [
      'operation has # attempts and each operation of a list has #',
      'src/memory/write/attempts.ts#MAX_ATTEMPTS.one',
      'src/memory/write/attempts.ts#MAX_ATTEMPTS.list',
    ],
    ['of at most # each', 'src/memory/write/attempts.ts#MAX_PAUSE_MS'],
    ['so # concurrent ones all get through', 'src/memory/write/attempts.ts#MAX_ATTEMPTS.one'],
    ['settled for # longer', 'COMMIT_MS'],
    ['a page of # vectors', 'PAGE_SLOTS'],
    [
      'gather for # and # at most',
      ['src/core/database/database.ts', /commits: .*gatherMs: (\d+)/, 'ms'],
      ['src/core/database/database.ts', /lookUps: .*gatherMs: (\d+)/, 'ms'],
    ],
    ['considers # semantic hits', 'MAX_SEMANTIC_HITS'],
    ['and # keyword matches', 'MAX_KEYWORD_MATCHES'],
    ['The window is # locally and # in production', 'WINDOW_MS.local', 'WINDOW_MS.production'],
    [
      'the cache takes # MB, and # locally',
      ['src/backends/project-vectors/page-cache.ts', /DEFAULT_BUDGET = (\d+)/],
      ['wrangler.toml', /VECTOR_CACHE_MB = "(\d+)"/],
    ],
  ],
  'docs/events.md': [
    ['not settled after #', 'src/events/outbox.ts#RESEND_AFTER_MS'],
    ['double up to #', ['src/events/sweep.ts', /min\(\$\{(\d+) \* MINUTE_MS\}/, 'min']],
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
  'docs/operations.md': [
    ['bge-m3, #', ['wrangler.toml', /EMBEDDING_DIMENSION = "(\d+)"/]],
    ['`AUDIT_RETENTION_DAYS` | #', ['wrangler.toml', /AUDIT_RETENTION_DAYS = "(\d+)"/]],
    ['`EXACT_TIER_MAX` | #', TIER],
    [
      '`VECTOR_CACHE_MB` | # | vectors that an isolate keeps in memory; locally #',
      ['src/backends/project-vectors/page-cache.ts', /DEFAULT_BUDGET = (\d+)/],
      ['wrangler.toml', /VECTOR_CACHE_MB = "(\d+)"/],
    ],
    ['at most once in #', 'CACHED_MS'],
    ['(# random bytes', ['src/core/values/hash.ts', /keys of at least (\d+) bytes/]],
    ['failed # times', ['wrangler.toml', /max_retries = (\d+)/]],
    ['after # of nothing but failures', 'FAILING_MS'],
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
    ['up to # printable', ['src/events/sockets/connect.ts', /client_id: shortText\((\d+)\)/]],
    ['# unacknowledged messages', 'MAX_UNACKNOWLEDGED'],
    [
      'More than # messages in #',
      limit('events.socket'),
      [POLICY, /'events\.socket': .*windowMs: (\d+) \* SECOND/, 's'],
    ],
    ['one of more than #', 'MAX_FRAME_BYTES'],
    ['or # events behind', 'MAX_UNACKNOWLEDGED'],
    ['tried again # later', 'UNREACHED_DELAY_SECONDS'],
    ['older than #', 'RESUMABLE_MS'],
    ['more than # events were missed', 'MAX_MISSED'],
    ['gone after #', 'TYPING_LIFE_MS'],
  ],
  'docs/scaling.md': [
    ['hashed to # buckets', 'NAMESPACES'],
    ['`Limiter`: # shards', 'SHARDS'],
    ['webhooks: # consumers of # messages', ['wrangler.toml', CONCURRENCY], ['wrangler.toml', DELIVERY_CONSUMER]],
    ['its events of # (measured)', EVENTS_KEPT],
  ],
  'docs/search.md': [
    ['(# to #), after # attempts', 'RETRY_BASE_MS', 'RETRY_CAP_MS', 'src/memory/embedding/embed-sql.ts#MAX_ATTEMPTS'],
    ['of up to # of model calls', 'FLUSH_AFTER_MS'],
    [
      'given # for a query and # for texts',
      ['src/memory/embedding/model-call.ts', /query: ([\d_]+)/, 'ms'],
      ['src/memory/embedding/model-call.ts', /document: ([\d_]+)/, 'ms'],
    ],
    ['under a lease of #', 'src/memory/embedding/embed-sql.ts#LEASE_MS'],
    ['renews every #', 'RENEW_EVERY_MS'],
    ['for up to # (`src/memory/embedding/due.ts`)', 'src/memory/embedding/sweep.ts#CHAIN_MS'],
    ['After # it lets', 'ROUND_MS'],
    ['does not ask it for #', 'src/memory/embedding/model-call.ts#DOWN_MS'],
    ['(up to #)', 'MAX_DOWN_MS'],
    ['`EXACT_TIER_MAX` (#)', TIER],
    ['younger than #', 'INDEX_LAG_MS'],
    ['a query and # vectors', 'PAGE_SLOTS'],
    ['weight / (# + rank)', 'FUSION_K'],
    ['and # for the local embedder', ['src/backends/embedder.local.ts', /fusionWeight: ([\d.]+)/]],
    ['K1 = #, B = #, and rarity (idf) to the power of #', 'K1', 'src/memory/search/ranking.ts#B', 'RARITY'],
  ],
  'docs/storage.md': [
    ['`invitations_by_expiry` | #, while open', 'INVITATION_LIFE_MS'],
    ['`sessions_by_network` | # after their end', 'DEVICE_KNOWN_MS'],
    ['`password_resets_by_expiry` | # after their end', 'RESET_KEPT_MS'],
    ['`oauth_clients_by_user` | # deleted', 'UNUSED_CLIENT_MS'],
    ['`oauth_grants_by_client` | # after', 'LAPSED_GRANT_MS'],
    ['`oauth_codes_by_grant` | #', 'REFRESH_TTL_MS'],
    ['the last # earlier texts', 'MAX_VERSIONS'],
    ['`events_by_item` | #; typing #', EVENTS_KEPT, 'TYPING_LIFE_MS'],
    ['`subscriptions_by_grant` | # after deletion', EVENTS_KEPT],
    ['`deliveries_by_age` | #', EVENTS_KEPT],
    ['`delivery_attempts_by_age` | #', EVENTS_KEPT],
    ['`idempotency_keys_by_age` | #', KEY_KEPT],
    ['`idempotency_progress_by_age` | #', KEY_KEPT],
    ['`consumed_by_age` | #', 'CONSUMED_KEPT_MS'],
    ['in memory # to a page', 'PAGE_SLOTS'],
  ],
}

const PLATFORM = "a limit of Cloudflare's"
const MEASURED = 'measured'
const HISTORY = 'a figure of the time, or of what was not chosen'

/** Figures that the code does not say. */
export const EXEMPT: Record<string, Exempt[]> = {
  'docs/architecture.md': [
    [PLATFORM, '**Durable Objects** take…100 texts an embedding call'],
    ['of the form of an id', 'first two characters'],
  ],
  'docs/contract.md': CONTRACT_EXEMPT,
  'docs/decisions.md': [
    [
      PLATFORM,
      'holds 16 KiB',
      'has six connections',
      "a queue's 128 KB",
      'Vectorize answers 100 hits',
      'an isolate has 128 MB',
    ],
    [
      MEASURED,
      'write 48 KB',
      'with 64 hits',
      'for 50 ms',
      '200 bytes',
      'some fifteen times as fast',
      'first 10,000 stores',
    ],
    [HISTORY, 'three times what is asked', '35 bits of checksum', 'go as two messages'],
  ],
  'docs/operations.md': [
    [PLATFORM, '**Within 30 days', '(10 GB)'],
    ['counted in wrangler.toml', 'two D1 databases, ten queues'],
    ['advice', 'grows for ten minutes'],
  ],
  'docs/portal.md': [
    [
      'of the style sheet, which browser tests look at',
      'at least 4.5:1',
      'below 720 px',
      'below 900 px',
      '320 and 1280 px',
    ],
  ],
  'docs/scaling.md': [['a limit, a price, measured or an estimate, as the page says', 'Scaling…for a higher rate.']],
  'docs/versioning.md': [['a promise about announcements', 'at least six months']],
}
