import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requestSnippets } from '../../src/portal/snippets/requests.ts'
import { ROOT } from '../../tools/wrangler.ts'
import { Agent } from './support/agent.ts'
import { hasPython } from './support/python.ts'
import { startServer, type Server } from './support/server.ts'

const run = promisify(execFile)
const EXAMPLE = join(ROOT, 'examples/python')
const INSTALL_MS = 240_000

let server: Server
let folder: string
beforeAll(async () => {
  server = await startServer({ vars: { LIMITS_FACTOR: '20' }, staticAssets: false })
  folder = await mkdtemp(join(tmpdir(), 'recollect-python-'))
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

test.runIf(hasPython)(
  'a Python client is generated from the document, and its program stores, searches, exports and imports',
  async () => {
    const inside = (name: string) => join(folder, 'venv/bin', name)
    await run('python3', ['-m', 'venv', join(folder, 'venv')])
    const pip = ['install', '--quiet', '--disable-pip-version-check', '--no-cache-dir', '--no-compile']
    await run(inside('pip'), [...pip, '-r', join(EXAMPLE, 'requirements.txt')])
    const source = ['--url', `${server.url}/api-reference/openapi.json`, '--config', join(EXAMPLE, 'client.yml')]
    const target = ['--meta', 'none', '--output-path', join(folder, 'recollect_client')]
    const generator = inside('openapi-python-client')
    const { stdout: generated, stderr } = await run(generator, ['generate', ...source, ...target], { cwd: folder })
    // A warning names an operation or an answer that the generator left out.
    expect(generated + stderr).not.toMatch(/warning/i)
    const agent = await Agent.signUp(server.url)
    const key = await agent.makeKey(['read:memory', 'write:memory'])
    // An item of the project without a custom_id.
    const other = { method: 'POST', headers: { 'X-API-Key': key, 'Content-Type': 'application/json' } }
    const stored = await fetch(`${server.url}/api/memory/store`, { ...other, body: '{"content":"Ben has a dog."}' })
    expect(stored.status).toBe(201)
    const env = { PATH: process.env['PATH'], PYTHONPATH: folder, BASE: server.url, KEY: key }
    const { stdout } = await run(inside('python'), [join(EXAMPLE, 'memory.py')], { cwd: folder, env })
    expect(stdout.trim().split('\n')).toEqual([
      'stored allergy, version 1',
      'found Ada is allergic to peanuts.',
      'exported 2',
      'imported: 0 created, 1 updated',
    ])
    const again = await run(inside('python'), [join(EXAMPLE, 'memory.py')], { cwd: folder, env })
    expect(again.stdout).toContain('exported 2\nimported: 0 created, 1 updated')
    const wrong = { ...env, KEY: `${key.slice(0, -1)}?` }
    const refused = run(inside('python'), [join(EXAMPLE, 'memory.py')], { cwd: folder, env: wrong })
    await expect(refused).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(/^invalid_token: .*\(req_/) })
    // The code that the portal shows, with a text that needs quoting.
    const search = { path: '/api/memory/search', call: 'memory.search', body: { query: 'who\'s "allergic"?' } }
    const shown = requestSnippets(server.url, search, key).find(({ language }) => language === 'Python')?.text ?? ''
    const printed = await run(inside('python'), ['-c', shown], { cwd: folder, env })
    expect(printed.stdout).toContain('Ada is allergic to peanuts.')
  },
  INSTALL_MS,
)
