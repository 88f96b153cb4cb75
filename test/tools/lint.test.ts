import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ROOT } from '../../tools/wrangler.ts'

const OXLINT = join(ROOT, 'node_modules/oxlint/bin/oxlint')
/** A tree with the linter's rules and, one test after another, the files that it is shown. */
let tree: string

beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), 'recollect-lint-'))
  for (const name of ['oxlint.config.ts', 'tools/lint']) cpSync(join(ROOT, name), join(tree, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'))
})
afterEach(() => rmSync(tree, { recursive: true }))

/** Writes files into the tree, lints these, and returns the linter's output. */
function lint(files: Record<string, string>): string {
  for (const [name, text] of Object.entries(files)) {
    const path = join(tree, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  const { status, stdout } = spawnSync(process.execPath, [OXLINT, ...Object.keys(files)], {
    cwd: tree,
    encoding: 'utf8',
  })
  expect(status).toBe(1)
  return stdout
}

test('a file may not import from a higher rank', () => {
  const said = lint({ 'src/core/lint-probe.ts': `export { healthEndpoint } from '../reference/health.ts'\n` })
  expect(said).toContain('core/ (rank 0) imports lower ranks only')
})

test('a file may not import from another folder of its own rank', () => {
  const said = lint({ 'src/hub/lint-probe.ts': `export { rolesSql } from '../identity/index.ts'\n` })
  expect(said).toContain('hub/ (rank 6) imports lower ranks only')
  const agents = lint({ 'src/mcp/lint-probe.ts': `export { healthEndpoint } from '../reference/health.ts'\n` })
  expect(agents).toContain('mcp/ (rank 9) imports lower ranks only')
})

test('a room of a feature imports lower rooms only', () => {
  const upward = lint({ 'src/memory/write/lint-probe.ts': `export { retrieve } from '../operations/retrieve.ts'\n` })
  expect(upward).toContain('memory/write/ (rank 1 of its feature) imports lower rooms only')
  const beside = lint({ 'src/memory/keyword/lint-probe.ts': `export { embedItems } from '../embedding/embed.ts'\n` })
  expect(beside).toContain('memory/keyword/ (rank 0 of its feature) imports lower rooms only')
  const index = lint({ 'src/memory/search/lint-probe.ts': `export { memoryEndpoints } from '../index.ts'\n` })
  expect(index).toContain('memory/search/ (rank 1 of its feature) imports lower rooms only')
})

test('a room of a feature keeps the rules of the feature', () => {
  const higher = lint({
    'src/memory/write/lint-probe.ts': `export { healthEndpoint } from '../../reference/health.ts'\n`,
  })
  expect(higher).toContain('memory/ (rank 8) imports lower ranks only')
  const inner = lint({ 'src/memory/write/lint-probe-b.ts': `export { auditRow } from '../../audit/record.ts'\n` })
  expect(inner).toContain('Import another feature through its index.ts or table.ts.')
})

test('what the rooms of a feature share imports from none of them', () => {
  const said = lint({ 'src/memory/lint-probe.ts': `export { retrieve } from './operations/retrieve.ts'\n` })
  expect(said).toContain('The files beside memory/index.ts are shared by its rooms and import from none')
})

test('another feature is imported through its index or its table', () => {
  const said = lint({ 'src/hub/lint-probe.ts': `export { TokenMint } from '../auth/tokens.ts'\n` })
  expect(said).toContain('Import another feature through its index.ts or table.ts.')
})

test('the service imports nothing of its client', () => {
  const refusal = 'The service imports nothing of its client'
  const byFolder = `export { Recollect } from '../../client/src/index.ts'\n`
  const byName = `export { Recollect } from 'recollect'\nexport { memoryTools } from 'recollect/ai-sdk'\n`
  const said = lint({
    'src/portal/lint-probe.ts': byFolder,
    'src/memory/write/lint-probe.ts': byName,
    'src/lint-probe.ts': byName,
    'src/pipeline/lint-probe.ts': byFolder,
  })
  expect(said.split(refusal)).toHaveLength(1 + 6)
})

test('the client imports nothing but itself', () => {
  const refusal = 'The client stands alone.'
  const said = lint({
    'client/src/lint-probe.ts': `export { AppError } from '../../src/core/http/errors.ts'\n`,
    'client/src/stream/lint-probe.ts': `export { buildClient } from '../../build.ts'\n`,
    'client/src/cli/lint-probe.ts': `export { ROOT } from '../../../tools/wrangler.ts'\n`,
    'client/src/cli/login/lint-probe.ts': `export { AppError } from '../../../../src/core/http/errors.ts'\n`,
  })
  expect(said.split(refusal)).toHaveLength(1 + 4)
})

test('a feature does not know the shell', () => {
  const said = lint({ 'src/portal/lint-probe.ts': `export { createApp } from '../app.ts'\n` })
  expect(said).toContain('Features do not know the shell around them.')
})

test('two files may not import each other', () => {
  const said = lint({
    'src/core/lint-probe-a.ts': `import { b } from './lint-probe-b.ts'\nexport const a = (): unknown => b\n`,
    'src/core/lint-probe-b.ts': `import { a } from './lint-probe-a.ts'\nexport const b = (): unknown => a\n`,
  })
  expect(said).toContain('no-cycle')
})

test('no statement replaces a row', () => {
  const said = lint({
    'src/core/lint-probe.ts':
      'export const sql = (table: string): string => `insert or\\n replace into ${table} values (1)`\n',
    'src/core/lint-probe-b.ts': `export const sql = 'REPLACE INTO words (rowid) values (1)'\n`,
  })
  expect(said.match(/house\(no-insert-or-replace\)/g)).toHaveLength(2)
})

test('what users read is in plain English, and comments are not looked at', () => {
  const said = lint({
    'src/portal/lint-probe.tsx':
      'export const A = (n: number) => <p title="the least similarity">Whoever has {`so many ${n} keys`}</p>\n',
    'client/src/lint-probe.ts': `// Whoever comes.\nexport const wrong = '2 wrong use'\n`,
  })
  expect(said.match(/house\(voice\)/g)).toHaveLength(4)
  expect(said).toContain('instead of "wrong use" write: usage error')
})

test('a schema is named as a type', () => {
  const said = lint({
    'src/core/lint-probe.ts': `import { z } from '@hono/zod-openapi'\nexport const A = z.object({}).openapi('New thing')\n`,
  })
  expect(said).toContain('Name a schema as a type')
})

test('time, ids and randomness come from the context', () => {
  const said = lint({
    'src/memory/lint-probe.ts': 'export const now = (): number => Date.now() + Math.random()\n',
  })
  expect(said).toContain('Take the time from ctx.now()')
  expect(said).toContain('Take randomness from ctx.random()')
})
