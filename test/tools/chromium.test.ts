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

/** In a Node whose PATH leads to no browser. */
const withoutBrowser = (script: string, env: NodeJS.ProcessEnv = {}) =>
  spawnSync(process.execPath, ['--no-warnings', '--input-type=module', '--eval', script], {
    cwd: ROOT,
    env: { PATH: '', ...env },
    encoding: 'utf8',
  })
const ANNOUNCE = `(await import('./test/e2e/support/chromium.ts')).default()`

test('where they are left out, one line says so', () => {
  expect(withoutBrowser(ANNOUNCE).stderr).toBe(
    'No Chromium found: the browser tests are left out (apt-get install chromium, or set CHROMIUM).\n',
  )
  expect(withoutBrowser(ANNOUNCE, { CI: 'true' }).stderr).toBe('')
})

test('under CI a missing browser is a failure', () => {
  const launch = `await (await import('./test/e2e/support/browser.ts')).launchBrowser()`
  // Playwright's own downloads must not step in.
  const { status, stderr } = withoutBrowser(launch, { CI: 'true', PLAYWRIGHT_BROWSERS_PATH: folder })
  expect(status).not.toBe(0)
  expect(stderr).toContain("Executable doesn't exist")
})
