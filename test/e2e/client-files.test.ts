import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { hasPython } from './support/python.ts'
import { startServer, type Server } from './support/server.ts'

const run = promisify(execFile)
const INSTALL_MS = 240_000
/** npm 11 takes the flag, and npm 12 refuses an address without it. */
const NPM = ['npm@11.21.2', 'npm@12.2.1']

interface Version {
  version: string
  url: string
  sha256: string
}

let server: Server
let versions: { npm: Version; python: Version }
beforeAll(async () => {
  server = await startServer()
  versions = (await (await fetch(`${server.url}/client/versions.json`)).json()) as typeof versions
})
afterAll(() => server.stop())

async function emptyProject(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-installed-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test('the packages are served as they were built, and may be kept for ever', async () => {
  for (const { url, sha256, version } of Object.values(versions)) {
    expect(url).toContain(version)
    const response = await fetch(server.url + url)
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(
      createHash('sha256')
        .update(new Uint8Array(await response.arrayBuffer()))
        .digest('hex'),
    ).toBe(sha256)
  }
})

test('the current versions are asked for each time', async () => {
  const { headers } = await fetch(`${server.url}/client/versions.json`)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
  expect(headers.get('content-type')).toContain('application/json')
})

test('there is no newest package, and none of another version', async () => {
  for (const path of ['', '/', '/recollect.tgz', '/recollect-latest.tgz', '/recollect-0.0.0.tgz'])
    expect((await fetch(`${server.url}/client${path}`)).status, path).toBe(404)
})

test('the lines of the reference install the current packages', async () => {
  const { info } = (await (await fetch(`${server.url}/api-reference/openapi.json`)).json()) as {
    info: { description: string }
  }
  const lines = info.description.match(/^(?:npm|pip) install .*$/gm) ?? []
  // What the shell makes of a line, without an installation.
  const words = await Promise.all(lines.map(async (line) => (await run('sh', ['-c', `echo ${line}`])).stdout))
  expect(words).toEqual([
    `npm install --allow-remote=root ${server.url}${versions.npm.url}\n`,
    `pip install ${server.url}${versions.python.url}\n`,
  ])
})

test.each(NPM)(
  '%s installs the client from the service, and a lock file keeps it',
  async (npm) => {
    const folder = await emptyProject()
    await writeFile(join(folder, 'package.json'), '{"name":"project","private":true,"type":"module"}')
    await writeFile(join(folder, '.npmrc'), `cache=${join(folder, '.npm')}\naudit=false\nfund=false\n`)
    const address = server.url + versions.npm.url
    const npmRun = (...args: string[]) => run('npx', ['--yes', npm, ...args], { cwd: folder })
    await npmRun('install', '--allow-remote=root', address)
    const program =
      "import { Recollect } from 'recollect'; console.log(typeof new Recollect({ baseUrl: process.argv[1] }).memory.store)"
    const { stdout } = await run('node', ['--input-type=module', '-e', program, server.url], { cwd: folder })
    expect(stdout).toBe('function\n')
    const bin = join(folder, 'node_modules/recollect/bin/recollect.js')
    expect((await stat(bin)).mode & 0o777).toBe(0o755)
    const shown = await run(join(folder, 'node_modules/.bin/recollect'), ['--version'], { cwd: folder })
    expect(shown.stdout.trim()).toBe(versions.npm.version)
    const lock = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { resolved?: string; integrity?: string }>
    }
    expect(lock.packages['node_modules/recollect']).toMatchObject({
      resolved: address,
      integrity: expect.stringMatching(/^sha512-/),
    })
    await writeFile(
      join(folder, '.npmrc'),
      `cache=${join(folder, '.npm')}\naudit=false\nfund=false\nallow-remote=root\n`,
    )
    await npmRun('ci')
  },
  INSTALL_MS,
)

test.runIf(hasPython)(
  'pip installs the client from the service, with an extra',
  async () => {
    const folder = await emptyProject()
    await run('python3', ['-m', 'venv', 'venv'], { cwd: folder })
    const python = join(folder, 'venv/bin/python')
    const address = server.url + versions.python.url
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-compile']
    await run(python, [...pip, `recollect[events] @ ${address}`], { cwd: folder })
    const program = `
import importlib.metadata, sys, wsproto
from recollect import Recollect
with Recollect(sys.argv[1]) as client:
    print(importlib.metadata.version("recollect"), client.request("GET", "/health").status)
`
    const { stdout } = await run(python, ['-c', program, server.url], { cwd: folder })
    expect(stdout).toBe(`${versions.python.version} 200\n`)
  },
  INSTALL_MS,
)
