import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DAY_MS } from '../../src/core/values/durations.ts'
import { startText } from '../../tools/repository.ts'
import { ROOT } from '../../tools/wrangler.ts'

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
const README = read('README.md')
const MAX_PICTURE_BYTES = 300_000

/** The lines of a section, by its heading. */
const section = (heading: string): string => README.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? ''

/** The cells of each row of the first table in a text, without its head. */
const rowsOf = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )

test('the comparison with peers is younger than a year, has ten rows at most, and two where we are behind', () => {
  const text = section('Beside its peers')
  const [, date = ''] = /^As of (\d{4}-\d\d-\d\d),/m.exec(text) ?? []
  expect(Date.now() - Date.parse(date)).toBeLessThan(365 * DAY_MS)
  const rows = rowsOf(text)
  expect(rows.length).toBeLessThanOrEqual(10)
  expect(rows.filter(([what = '']) => what.startsWith('**behind:**')).length).toBeGreaterThanOrEqual(2)
})

test('the lines that connect an agent are those of docs/mcp.md, which the tests of agents run', () => {
  const lines = [...section('Connect an agent').matchAll(/`(\w+ mcp add [^`]*)`/g)].map(([, line = '']) => line)
  expect(lines).toHaveLength(3)
  const document = read('docs/mcp.md').split('\n')
  for (const line of lines)
    expect(document).toContain(line.replace('http://localhost:8787/mcp', 'https://recollect.example/mcp'))
})

test('plan and price stand above the command that deploys', () => {
  const text = section('Deploy')
  expect(text.indexOf('Workers Paid plan, 5 dollars')).toBeGreaterThan(-1)
  expect(text.indexOf('Workers Paid plan, 5 dollars')).toBeLessThan(text.indexOf('npm run deploy'))
})

test.each(['README.md', 'docs/quickstart.md'])('%s says how to get the code, by the one address', (file) => {
  expect(read(file)).toContain(startText())
})

test('where the repository has an address, the line to clone it stands there', () => {
  expect(startText('https://git.example/recollect')).toContain(
    'git clone https://git.example/recollect recollect && cd recollect\nnpm start',
  )
})

test('no block for the shell needs a function', () => {
  const blocks = [...README.matchAll(/```sh\n([^]*?)```/g)].map(([, block]) => block)
  expect(blocks.length).toBeGreaterThan(2)
  expect(blocks.join('\n')).not.toMatch(/\w+ *\(\) *\{/)
})

test('the recording has no script, shows its last frame where motion is unwanted, and is described', () => {
  const picture = read('docs/images/first-sight.svg')
  expect(Buffer.byteLength(picture)).toBeLessThanOrEqual(MAX_PICTURE_BYTES)
  expect(picture).not.toMatch(/<script|\son\w+=|href="(?!#)/)
  expect(picture).toContain('@media (prefers-reduced-motion: reduce)')
  // It shows the command of this page as it stands.
  expect(picture).not.toContain('--port')
  expect(README).toMatch(/!\[[^\]]{80,}\]\(docs\/images\/first-sight\.svg\)/)
})
