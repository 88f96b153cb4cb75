// Runs on any Node from 20 on, before anything is installed. It installs the packages of package-lock.json if one is
// missing, then runs a script on the pinned Node. Usage: node tools/bootstrap.mjs <script> [arguments]
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { install, isInstalled } from './install.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = join(root, 'node_modules', '.bin')
const node = join(bin, process.platform === 'win32' ? 'node.cmd' : 'node')

/** How often this process looks whether npm still runs it. */
const ORPHAN_MS = 500
/** The shell of npm. Some shells replace themselves with the command, and npm is then the parent. */
const SHELL = /(?:^|\/)-?(?:sh|ash|bash|dash|zsh|busybox)$/

if (!existsSync(node) || !isInstalled(root)) {
  const status = await install(root)
  if (status !== 0) process.exit(status)
}

// The service ends when this process does, whatever kills it: nobody else holds the fourth pipe (tools/starter.ts).
const pipe = process.argv[2] === 'tools/start.ts' ? { stdio: ['pipe'], env: { RECOLLECT_STARTER_FD: '3' } } : null
const child = spawn(node, process.argv.slice(2), {
  cwd: root,
  stdio: ['inherit', 'inherit', 'inherit', ...(pipe?.stdio ?? [])],
  env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}`, ...pipe?.env },
})
child.stdio[3]?.unref()
// Ctrl-C also reaches the child, which is in the same process group. A SIGINT for this process alone does not.
process.on('SIGINT', () => setTimeout(() => child.kill('SIGTERM'), 1_000))
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
if (process.env.npm_lifecycle_event) endWithNpm()
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)))

/** npm hands a SIGTERM to its shell alone, and no other signal to anybody. Where one of them dies, a parent changes. */
function endWithNpm() {
  const parent = process.ppid
  const shell = SHELL.test(processOf(parent)?.command ?? '') ? parent : null
  const npm = shell === null ? null : processOf(shell)?.parent
  const look = setInterval(() => {
    if (process.ppid === parent && (shell === null || processOf(shell)?.parent === npm)) return
    clearInterval(look)
    child.kill('SIGTERM')
  }, ORPHAN_MS)
}

/** The parent of a process, and the command that it runs; undefined where the system does not tell. */
function processOf(pid) {
  const { stdout } = existsSync('/proc/self/stat')
    ? { stdout: procLine(pid) }
    : spawnSync('ps', ['-o', 'ppid=,comm=', '-p', String(pid)], { encoding: 'utf8' })
  const [, parent, command] = /^ *(\d+) +(.+?) *$/m.exec(stdout ?? '') ?? []
  return parent === undefined ? undefined : { parent: Number(parent), command }
}

/** What `ps` prints, without a process of its own. */
function procLine(pid) {
  try {
    const [, command, parent] = /^\d+ \((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return `${parent} ${command}`
  } catch {
    return ''
  }
}
