import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { checkDocs } from '../../tools/check-docs.ts'
import { checkFigures, type Exempt, type Figure } from '../../tools/check-figures.ts'
import { checkSecurity, withTests } from '../../tools/security-tests.ts'

let root: string
/** Separate from its number, so that this file contains no citation. */
const CITES = 'security'

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'recollect-docs-'))
})
afterEach(() => rmSync(root, { recursive: true }))

function write(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
}

describe('what a document names', () => {
  const BASE = { 'package.json': '{"scripts": {"check": ""}}', 'docs/security.md': '', 'migrations/.keep': '' }

  test.each([
    ['a path that is absent', 'See `src/nowhere.ts`.', 'no such path: src/nowhere.ts'],
    ['a file of that name that is absent', 'See `nowhere.ts`.', 'no such file, or several: nowhere.ts'],
    ['a file of that name that is one of two', 'See `two.ts`.', 'no such file, or several: two.ts'],
    ['a function that is absent', 'See `doNothing()`.', 'no such name in the code: doNothing'],
    ['a constant that is absent', 'See `MAX_NOTHING`.', 'no such name in the code: MAX_NOTHING'],
    ['a script that is absent', 'Run `npm run nothing`.', 'no such script: npm run nothing'],
    ['a link to an absent document', '[here](docs/none.md)', 'dead link: docs/none.md'],
    ['a link to an absent heading', '[here](docs/b.md#two)', 'dead link: docs/b.md#two'],
  ])('%s is a fault', (_, text, fault) => {
    write({ ...BASE, 'README.md': text, 'docs/b.md': '# One\n', 'src/a/two.ts': '', 'src/b/two.ts': '' })
    expect(checkDocs(root, {}, {})).toEqual([`README.md: ${fault}`])
  })

  test('what is there is none', () => {
    write({
      ...BASE,
      'README.md': 'See `docs/b.md`, [it](docs/b.md#one), `npm run check`, `a.ts`, `MAX_A`, `doIt()`, `index.ts`.',
      'docs/b.md': '# One\n',
      'src/a.ts': 'const MAX_A = 1\nconst doIt = () => MAX_A\n',
    })
    expect(checkDocs(root, {}, {})).toEqual([])
  })

  test('a comment that names an absent path is a fault', () => {
    write({ ...BASE, 'README.md': '', 'src/a.ts': '// as `src/a.ts` and `src/b.ts` do\n' })
    expect(checkDocs(root, {}, {})).toEqual(['src/a.ts: no such path: src/b.ts'])
  })

  test('a comment that cites an absent section is a fault', () => {
    write({
      ...BASE,
      'README.md': '',
      'docs/contract.md': '## 1. Rules\n',
      'src/a.ts': '// contract §1, contract §2\n',
    })
    expect(checkDocs(root, {}, {})).toEqual(['docs/contract.md: no section 2'])
  })

  test('a table that docs/storage.md does not name is a fault', () => {
    write({ ...BASE, 'README.md': '', 'docs/storage.md': '`users`', 'migrations/main/0.sql': 'CREATE TABLE `users`;' })
    expect(checkDocs(root, {}, {})).toEqual([])
    write({ 'migrations/main/1.sql': 'CREATE INDEX `users_by_name`;' })
    expect(checkDocs(root, {}, {})).toEqual(['docs/storage.md: does not name users_by_name'])
  })
})

describe('the attacks that must fail', () => {
  const DOCUMENT =
    '## A\n\n1. One\n   on two lines.\n   Tests: `test/a.test.ts`.\n2. Two.\n   Tests: `test/b.test.tsx`.\n\nText.\n'
  const TESTS = {
    'test/a.test.ts': `test('${CITES} 1: no', () => {})\n`,
    'test/b.test.tsx': `test.each([])(\n  'never (${CITES} 2)',\n)\n`,
  }

  test('are each held by the tests that the document names', () => {
    write({ ...TESTS, 'docs/security.md': DOCUMENT, 'src/a.ts': `// ${CITES} 1, 2\n` })
    expect(checkSecurity(root)).toEqual([])
  })

  test('a citation of a number that is not there is a fault, in lists too', () => {
    write({ ...TESTS, 'docs/security.md': DOCUMENT, 'src/a.ts': `/** No (${CITES} 1, 3). */\n` })
    expect(checkSecurity(root)).toEqual([`src/a.ts: cites ${CITES} 3, which docs/security.md does not have`])
  })

  test('a number that only a comment of a test cites is a fault', () => {
    write({ ...TESTS, 'docs/security.md': DOCUMENT, 'test/b.test.tsx': `  // it's ${CITES} 2\n` })
    expect(checkSecurity(root)).toEqual([
      'docs/security.md: 2 has no test',
      'docs/security.md: its tests are out of date: npm run docs',
    ])
  })

  test.each([
    ['a test that the document does not name', { 'test/c.test.ts': `test('${CITES} 1, 2: no')` }],
    ['a test that is not there any more', { 'test/a.test.ts': '', 'test/c.test.ts': `test('${CITES} 1: no')` }],
  ])('%s is a fault, which `npm run docs` mends', (_, files) => {
    write({ ...TESTS, 'docs/security.md': DOCUMENT, ...files })
    expect(checkSecurity(root)).toEqual(['docs/security.md: its tests are out of date: npm run docs'])
    write({ 'docs/security.md': withTests(root, DOCUMENT) })
    expect(checkSecurity(root)).toEqual([])
  })
})

describe('the figures of a document', () => {
  const CODE = [
    'export const KEPT_MS = 24 * HOUR_MS',
    'const HOUR_MS = 3_600_000',
    'const TTL_SECONDS = 86_400',
    'const MAX_BYTES = 16 * 1024',
    'const PAUSES_MS = [5 * SECOND, 2 * HOUR_MS] as const',
    'const SECOND = 1_000',
    'const JITTER = 0.2',
    'const WINDOW_MS = { production: 1_000, local: 250 }',
    'export const LIMITS = { login: { limit: 5 } }',
  ].join('\n')
  const figures = (text: string, figures: Figure[], exempt: Exempt[] = []) => {
    write({ 'docs/a.md': text, 'src/a.ts': `${CODE}\n`, 'src/b.ts': "import { KEPT_MS, B } from './a.ts'\n" })
    return checkFigures(root, { 'docs/a.md': figures }, { 'docs/a.md': exempt })
  }

  test.each<[string, Figure]>([
    ['Kept for 24 h.', ['Kept for #', 'src/a.ts#KEPT_MS']],
    ['Kept for a day.', ['Kept for #', 'src/b.ts#KEPT_MS']],
    ['Kept for\ntwenty-four: expires_in: 86,400', ['expires_in: #', 'src/a.ts#TTL_SECONDS']],
    ['Lives 24 hours.', ['Lives #.', 'TTL_SECONDS']],
    ['For 250 ms.', ['For #', 'WINDOW_MS.local']],
    ['At most 16 KiB.', ['At most #', 'src/a.ts#MAX_BYTES']],
    ['After 5 s, two hours, each ±20 %.', ['After #, #, each ±#.', 'src/a.ts#PAUSES_MS', 'src/a.ts#JITTER']],
    ['| login |   5 a minute |', ['| login | # a minute', ['src/a.ts', /login: \{ limit: (\d+)/]]],
  ])('%j is what the code says', (text, figure) => {
    expect(figures(text, [figure])).toEqual([])
  })

  test.each<[string, string, Figure[], string]>([
    [
      'that is another one than the code has',
      'Kept for 23 h.',
      [['Kept for #', 'src/a.ts#KEPT_MS']],
      '"Kept for 23 h", but src/a.ts#KEPT_MS is 86400000',
    ],
    [
      'whose constant is gone',
      'Kept for 24 h.',
      [['Kept for #', 'src/a.ts#LIFE_MS']],
      '"Kept for 24 h", but src/a.ts#LIFE_MS is NaN',
    ],
    ['that is gone', 'Kept.', [['Kept for #', 'src/a.ts#KEPT_MS']], 'does not say "Kept for #" any more'],
    ['that nothing checks', 'One.\nUp to 7 days.', [], 'line 2: nothing checks "Up to 7" (tools/figures.ts)'],
    ['in words that nothing checks', 'For seven\ndays.', [], 'line 1: nothing checks "seven days" (tools/figures.ts)'],
  ])('one %s is a fault', (_, text, checked, fault) => {
    expect(figures(text, checked)).toEqual([`docs/a.md: ${fault}`])
  })

  test('one that the code does not say is exempt by its phrase, as long as that is there', () => {
    expect(figures('An isolate has 128 MB.', [], [['a limit', 'isolate has 128 MB']])).toEqual([])
    expect(figures('Blocks do not count.\n\n```sh\nup to 9 items\n```\n', [], [['a limit', 'has 128 MB']])).toEqual([
      'docs/a.md: does not say "has 128 MB" any more',
    ])
  })
})
