import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findChromium, runsBrowserTests } from '../e2e/support/chromium.ts'
import { ROOT } from '../../tools/wrangler.ts'

const folder = mkdtempSync(join(tmpdir(), 'recollect-chromium-'))
const program = join(folder, 'chromium')
const text = join(folder, 'chromium-browser')
writeFileSync(program, '')
chmodSync(program, 0o755)
writeFileSync(text, '', { mode: 0o644 })
afterAll(() => rmSync(folder, { recursive: true }))

test('the browser is the one that is named, or the first on the PATH that can be run', () => {
  expect(findChromium({ PATH: ['/nowhere', folder].join(delimiter) })).toBe(program)
  expect(findChromium({ PATH: '', CHROMIUM: program })).toBe(program)
  expect(findChromium({ PATH: '', CHROMIUM: text })).toBeUndefined()
  expect(findChromium({ PATH: '' })).toBeUndefined()
})

test('without one, browser tests are left out here and run under CI', () => {
  expect(runsBrowserTests({ PATH: '' })).toBe(false)
  expect(runsBrowserTests({ PATH: '', CI: 'true' })).toBe(true)
  expect(runsBrowserTests({ PATH: folder })).toBe(true)
})

/** Runs code in a Node whose PATH contains no browser. */
const withoutBrowser = (script: string, env: NodeJS.ProcessEnv = {}) =>
  spawnSync(process.execPath, ['--no-warnings', '--input-type=module', '--eval', script], {
    cwd: ROOT,
    env: { PATH: '', ...env },
    encoding: 'utf8',
  })

/** The last line of a run of two tests, one of which needs a browser. */
function lastLine(env: NodeJS.ProcessEnv, ...options: string[]): string | undefined {
  writeFileSync(join(folder, 'two.test.js'), `test('a', () => {}); test.runIf(false)('b', () => {})`)
  const reporters = ['default', join(ROOT, 'test/support/left-out.ts')].map((name) => `--reporter=${name}`)
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  const args = ['--no-warnings', vitest, 'run', '--globals', `--root=${folder}`, ...reporters, ...options]
  const { stdout, status } = spawnSync(process.execPath, args, { env: { PATH: '', ...env }, encoding: 'utf8' })
  expect(status).toBe(0)
  return stdout.trim().split('\n').at(-1)
}

test('where they are left out, the last line of a run says how many and how to get them', () => {
  const line =
    '1 browser test was left out: no Chromium found. To run them: apt-get install chromium, or set CHROMIUM to its path.'
  expect(lastLine({})).toBe(line)
  expect(lastLine({}, '-t', 'a')).not.toContain('left out')
  expect(lastLine({ PATH: folder })).not.toContain('left out')
})

test('under CI a missing browser is a failure', () => {
  const launch = `await (await import('./test/e2e/support/browser.ts')).launchBrowser()`
  // Playwright must not find a browser that it downloaded.
  const { status, stderr } = withoutBrowser(launch, { CI: 'true', PLAYWRIGHT_BROWSERS_PATH: folder })
  expect(status).not.toBe(0)
  expect(stderr).toContain("Executable doesn't exist")
})
