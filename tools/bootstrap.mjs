// Runs on any Node from 20 on, before anything is installed. It installs the packages of package-lock.json if one is
// missing, then runs a script on the pinned Node. Usage: node tools/bootstrap.mjs <script> [arguments]
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = join(root, 'node_modules', '.bin')
const node = join(bin, process.platform === 'win32' ? 'node.cmd' : 'node')

/** How often this process looks whether npm still runs it. */
const ORPHAN_MS = 500

const packagesOf = (lockfile) => JSON.parse(readFileSync(join(root, lockfile), 'utf8')).packages

/** Whether node_modules has each package in its locked version. Optional packages belong to other platforms. */
function isInstalled() {
  if (!existsSync(node) || !existsSync(join(root, 'node_modules/.package-lock.json'))) return false
  const present = packagesOf('node_modules/.package-lock.json')
  return Object.entries(packagesOf('package-lock.json')).every(
    ([path, { version, optional }]) => path === '' || optional || present[path]?.version === version,
  )
}

if (!isInstalled()) {
  console.log('Installing packages (once, about a minute) …')
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (status !== 0) process.exit(status ?? 1)
}

const child = spawn(node, process.argv.slice(2), {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` },
})
// Ctrl-C also reaches the child, which is in the same process group. A SIGINT for this process alone does not.
process.on('SIGINT', () => setTimeout(() => child.kill('SIGTERM'), 1_000))
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
// npm hands a SIGTERM to its shell alone. The shell ends, and this process has another parent from then on.
const parent = process.ppid
if (process.env.npm_lifecycle_event) {
  const look = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(look)
    child.kill('SIGTERM')
  }, ORPHAN_MS)
}
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)))
