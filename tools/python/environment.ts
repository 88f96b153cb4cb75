import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../wrangler.ts'

const run = promisify(execFile)

/** All packages that the Python client, its adapters and their tests need, each with its hashes. Its first lines say what wrote it. */
const REQUIREMENTS = join(ROOT, 'client/python/requirements.txt')
const SOURCES = join(ROOT, 'client/python/src')

export interface PythonEnvironment {
  python: string
  /** With it, the environment finds the client's sources. */
  env: { PYTHONPATH: string }
}

/** The environment of the Python client, made once for its requirements. Needs Python from 3.11 on, and the network once. */
export async function pythonEnvironment(): Promise<PythonEnvironment> {
  const hash = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex').slice(0, 16)
  const home = join(ROOT, `node_modules/.cache/python-${hash}`)
  if (!existsSync(home)) await make(home)
  return { python: join(home, 'bin/python'), env: { PYTHONPATH: SOURCES } }
}

/** Under a name of its own first, since tests and checks may make it at once. */
async function make(home: string): Promise<void> {
  const draft = `${home}-${randomUUID()}`
  try {
    await run('python3', ['-m', 'venv', draft])
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-cache-dir', '--no-compile']
    const pinned = ['--no-deps', '--only-binary=:all:', '--require-hashes', '-r', REQUIREMENTS]
    await run(join(draft, 'bin/python'), [...pip, ...pinned])
    if (!existsSync(home)) renameSync(draft, home)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}
