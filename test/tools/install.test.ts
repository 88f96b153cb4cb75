import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { install, isInstalled, progressOf } from '../../tools/install.mjs'

const LOCK = {
  '': { name: 'root' },
  client: { version: '1.0.0' },
  'node_modules/a': { version: '1.0.0' },
  'node_modules/a/node_modules/b': { version: '2.0.0' },
  'node_modules/client': { resolved: 'client', link: true },
  'node_modules/other-platform': { version: '1.0.0', optional: true },
}

function newTree() {
  const root = mkdtempSync(join(tmpdir(), 'recollect-install-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const write = (file: string, content: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), content)
  }
  write('package-lock.json', JSON.stringify({ packages: LOCK }))
  return { root, write }
}

/** A program named npm, before all others in the path. */
function standInForNpm(root: string, write: (file: string, content: string) => void, script: string): void {
  write('bin/npm', `#!/bin/sh\n${script}`)
  chmodSync(join(root, 'bin/npm'), 0o755)
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('PATH', `${join(root, 'bin')}${delimiter}${process.env['PATH']}`)
}

test('the progress counts what npm has unpacked, without links and packages of other platforms', () => {
  const { root, write } = newTree()
  expect(progressOf(root)).toBe('Installing packages: 0 of 2')
  write('node_modules/a/package.json', '{}')
  write('node_modules/client/package.json', '{}')
  write('node_modules/other-platform/package.json', '{}')
  expect(progressOf(root)).toBe('Installing packages: 1 of 2')
})

test('packages are installed where each has its locked version', () => {
  const { root, write } = newTree()
  expect(isInstalled(root)).toBe(false)
  const { 'node_modules/other-platform': _, ...present } = LOCK
  write('node_modules/.package-lock.json', JSON.stringify({ packages: present }))
  expect(isInstalled(root)).toBe(true)
  const older = { ...present, 'node_modules/a': { version: '0.9.0' } }
  write('node_modules/.package-lock.json', JSON.stringify({ packages: older }))
  expect(isInstalled(root)).toBe(false)
})

test('an installation prints its progress until npm ends, and takes its exit code', async () => {
  const { root, write } = newTree()
  // It ends when its progress was seen, so that no time decides.
  standInForNpm(
    root,
    write,
    'mkdir -p node_modules/a\necho {} > node_modules/a/package.json\nuntil [ -e seen ]; do :; done\nexit 3\n',
  )
  const printed: string[] = []
  const print = (line: string) => {
    printed.push(line)
    if (line === 'Installing packages: 1 of 2') write('seen', '')
  }
  expect(await install(root, { everyMs: 5, print })).toBe(3)
  expect(printed[0]).toBe('Installing packages (once, about a minute) …')
  expect(printed).toContain('Installing packages: 1 of 2')
})
