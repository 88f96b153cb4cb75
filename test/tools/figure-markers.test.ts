import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { constantsOf } from '../../tools/constants.ts'
import { checkFigures } from '../../tools/figure-markers.ts'

const CODE = {
  'src/a.ts': `import { DAY, HOUR } from './times.ts'
export const KEPT_MS = 30 * DAY
const TTL_SECONDS = 86_400
const MAX_BYTES = 16 * 1024
const MAX_DATABASE_BYTES = 10 * 1024 ** 3
const PAUSES_MS = [5 * SECOND, 2 * HOUR] as const
const SECOND = 1_000
const JITTER = 0.2
const WINDOW_MS = { production: 1_000, local: 250 }
const MAX_TAGS: number = Math.min(32, MAX_BYTES)
export const LIMITS = {
  login: { limit: 5, windowMs: 60_000, per: 'ip' },
  // From unknown devices.
  'login.unknown': { limit: 30, windowMs: HOUR, per: 'account' },
} as const satisfies Record<string, unknown>
const NAME = 'a'
`,
  'src/b/a.ts': 'const LIFE_MS = 60_000\n',
  'client/c.ts': 'const LIFE_MS = 5_000\n',
  'src/times.ts': 'export const HOUR = 3_600_000\nexport const DAY = 24 * HOUR\n',
  'wrangler.toml': '[vars]\nRETENTION_DAYS = "90"\n[env.local.vars]\nRETENTION_DAYS = "7"\n',
  'package.json': '{"engines": {"node": ">=20.12"}}',
}

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'recollect-figures-'))
  for (const [name, text] of Object.entries(CODE)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
})
afterEach(() => rmSync(root, { recursive: true }))

const check = (text: string) => checkFigures(constantsOf(root), 'docs/a.md', text)

test.each([
  'Kept for 30 days<!-- KEPT_MS -->.',
  'For a day, `{expires_in: 86400, scope}`<!-- TTL_SECONDS -->.',
  'Lives 24 hours of life<!-- TTL_SECONDS -->.',
  'At most 16 KiB<!-- MAX_BYTES --> of 10 GB<!-- MAX_DATABASE_BYTES -->.',
  'After 5 s, two hours<!-- PAUSES_MS -->, each ±20 %<!-- JITTER -->.',
  '250 ms<!-- WINDOW_MS.local -->, else a second<!-- WINDOW_MS.production -->.',
  'Has 1..32<!-- MAX_TAGS --> tags.',
  '`{tags? (1..32), weight? (0..1)}`<!-- MAX_TAGS - -->',
  'A minute<!-- a#LIFE_MS --> or `5 s`<!-- c#LIFE_MS -->.',
  '| login | 5 / min<!-- LIMITS.login --> | thirty<!-- LIMITS.login.unknown.limit --> | 30 per hour<!-- LIMITS.login.unknown --> |',
  'Five requests, 30 days<!-- LIMITS.login.limit KEPT_MS -->.',
  'Kept for 90 days<!-- wrangler.toml#RETENTION_DAYS --> on Node 20.12<!-- package.json#engines.node -->.',
])('%s', (text) => expect(check(text)).toEqual([]))

test.each([
  ['another one', 'One.\nKept for 29 days<!-- KEPT_MS -->.', '2: "29 days", but KEPT_MS is 2592000000'],
  ['another unit', 'Kept for 30 hours<!-- KEPT_MS -->.', '1: "30 hours", but KEPT_MS is 2592000000'],
  ['none at all', 'Kept<!-- KEPT_MS -->.', '1: "", but KEPT_MS is 2592000000'],
  ['one of a list', 'After 5 s, 3 hours<!-- PAUSES_MS -->.', '1: "5 s, 3 hours", but PAUSES_MS is 5000, 7200000'],
  ['another window', '5 / s<!-- LIMITS.login -->', '1: "5, / s", but LIMITS.login is 5, 60000'],
  ['a line before', 'Kept for 30 days.<!-- promise -->\nKept<!-- KEPT_MS -->.', '2: "", but KEPT_MS is 2592000000'],
])('a figure that is %s is a fault', (_, text, fault) => expect(check(text)).toEqual([`docs/a.md:${fault}`]))

test.each([
  'NO_MS',
  'LIMITS.logout',
  'LIFE_MS',
  'b#KEPT_MS',
  'NAME',
  'LIMITS',
  'package.json#engines.deno',
  'wrangler.toml#NO',
])('a marker with %s, which is no number of the code, is a fault', (name) =>
  expect(check(`Up to 5 s<!-- ${name} -->.`)).toEqual([`docs/a.md:1: no constant, or several: ${name}`]),
)

test.each([
  ['Up to 7 days.', 'Up to 7'],
  ['For seven\ndays.', 'seven days'],
  ['From 1..9 on.', '1..9'],
  ['A hundred texts.', 'A hundred texts'],
  ['5 a page.', '5 a page'],
  ['Up to 16 KiB<!-- MAX_BYTES --> and 30 days.', '30 days'],
  ['See [this](30 days) and 30 days.<!-- somewhere -->', '30 days'],
])('%s has no marker', (text, stated) => expect(check(text)).toEqual([`docs/a.md:1: "${stated}" has no marker`]))

test('a reason exempts what stands before it on its line', () => {
  expect(check('Takes 5 ms of 7 items<!-- measured -->, and holds 9 items.')).toEqual([
    'docs/a.md:1: "9 items" has no marker',
  ])
  expect(check('Up to 16 KiB<!-- MAX_BYTES --> in 5 ms<!-- measured estimate -->.')).toEqual([])
})

test('a reason below a heading exempts the section, and no constant in it', () => {
  const section = '## A\n\n<!-- measured -->\n\n5 ms.\n\n### B\n\n5 ms, 17 KiB<!-- MAX_BYTES -->.\n\n## C\n\n5 ms.\n'
  expect(check(section)).toEqual([
    'docs/a.md:9: "17 KiB", but MAX_BYTES is 16384',
    'docs/a.md:13: "5 ms" has no marker',
  ])
  expect(check('# A\n\n<!-- measured -->\n\n## B\n\n5 ms.\n')).toEqual([])
})

test('fenced blocks and targets of links are not read', () => {
  expect(check('```sh\nup to 9 items\n```\n\n[it](a.md#at-most-9-items)\n')).toEqual([])
})
