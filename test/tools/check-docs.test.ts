import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { checkDocs } from '../../tools/check-docs.ts'
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
    ['a link out of the repository', '[here](../../b.md)', 'dead link: ../../b.md'],
    ['a link to an absent heading', '[here](docs/b.md#two)', 'dead link: docs/b.md#two'],
  ])('%s is a fault', (_, text, fault) => {
    write({ ...BASE, 'README.md': text, 'docs/b.md': '# One\n', 'src/a/two.ts': '', 'src/b/two.ts': '' })
    expect(checkDocs(root)).toEqual([`README.md: ${fault}`])
  })

  test('what is there is none', () => {
    write({
      ...BASE,
      'README.md':
        'See `docs/b.md`, [it](docs/b.md#one), [CI](../../actions/workflows/ci.yml), `npm run check`, `a.ts`, `MAX_A`, `doIt()`, `index.ts`.',
      'docs/b.md': '# One\n',
      'src/a.ts': 'const MAX_A = 1\nconst doIt = () => MAX_A\n',
    })
    expect(checkDocs(root)).toEqual([])
  })

  test('a comment that names an absent path is a fault', () => {
    write({ ...BASE, 'README.md': '', 'src/a.ts': '// as `src/a.ts` and `src/b.ts` do\n' })
    expect(checkDocs(root)).toEqual(['src/a.ts: no such path: src/b.ts'])
  })

  test('a comment that cites an absent section is a fault', () => {
    write({
      ...BASE,
      'README.md': '',
      'docs/contract.md': '## 1. Rules\n',
      'src/a.ts': '// contract §1, contract §2\n',
    })
    expect(checkDocs(root)).toEqual(['docs/contract.md: no section 2'])
  })

  test('a figure of a document that the code does not have is a fault, and so is one without a marker', () => {
    write({
      ...BASE,
      'src/a.ts': 'const MAX_TAGS = 32\n',
      'README.md': 'Has 33<!-- MAX_TAGS --> tags.',
      'docs/b.md': 'Up to 5 s.',
      'CONTRIBUTING.md': 'Up to 5 s.',
    })
    expect(checkDocs(root)).toEqual(['README.md:1: "33", but MAX_TAGS is 32', 'docs/b.md:1: "Up to 5" has no marker'])
  })

  test('a wording that no native speaker uses is a fault, across lines too, in what users read', () => {
    const refused = '# One\n\n- An item.\n- Whoever has the link has to\n  lie here.\n'
    write({
      ...BASE,
      'README.md': refused,
      'docs/b.md': 'Anyone who has the link can log in.',
      'docs/decisions.md': refused,
      'CHANGELOG.md': refused,
    })
    expect(checkDocs(root)).toEqual([
      'README.md: line 4: instead of "has to lie" write: must be',
      'README.md: line 4: instead of "Whoever" write: anyone who, a caller who',
    ])
  })

  test('a wording in code or in the address of a link is none', () => {
    write({
      ...BASE,
      'README.md': 'Set `whoever`, ``a `whoever` b`` or [it](b.md#whoever).\n\n```sh\nwhoever\n```\n',
      'b.md': '# Whoever\n',
    })
    expect(checkDocs(root)).toEqual(['b.md: line 1: instead of "Whoever" write: anyone who, a caller who'])
  })

  test('a table that docs/storage.md does not name is a fault', () => {
    write({ ...BASE, 'README.md': '', 'docs/storage.md': '`users`', 'migrations/main/0.sql': 'CREATE TABLE `users`;' })
    expect(checkDocs(root)).toEqual([])
    write({ 'migrations/main/1.sql': 'CREATE INDEX `users_by_name`;' })
    expect(checkDocs(root)).toEqual(['docs/storage.md: does not name users_by_name'])
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
