import { execFile } from 'node:child_process'
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Agent } from '../../../test/e2e/support/agent.ts'
import { hasBrowser, launchBrowser } from '../../../test/e2e/support/browser.ts'
import { startServer, type Server } from '../../../test/e2e/support/server.ts'
import { newProject } from './support/build.ts'
import { DENO, NODE_VERSIONS, nodeBinary } from './support/runtimes.ts'

const SOURCE = join(import.meta.dirname, 'programs/round-trip.ts')
const PROGRAM = JSON.stringify(SOURCE)
const SCOPES = ['read:memory', 'write:memory', 'read:events']
const EXPECTED = {
  heard: ['memory.created'],
  found: [true],
  listed: 1,
  exported: ['The kettle whistles at noon.'],
  gone: 'not_found',
}

let server: Server
let project: string
beforeAll(async () => {
  const options = { staticAssets: false, vars: { LIMITS_FACTOR: '20' } }
  ;[server, project] = await Promise.all([startServer(options), newProject(['ws'])])
})
afterAll(async () => {
  await server.stop()
  await rm(project, { recursive: true, force: true })
})

/** The program with the package that is installed in the project, as one script. */
async function bundled(entry: string, options: object): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: project, loader: 'ts' },
    bundle: true,
    write: false,
    target: 'es2022',
    nodePaths: [join(project, 'node_modules')],
    ...options,
  })
  return outputFiles[0]?.text ?? ''
}

test('an empty project holds the package and nothing else', async () => {
  const lock = JSON.parse(await readFile(join(project, 'package-lock.json'), 'utf8')) as { packages: object }
  expect(Object.keys(lock.packages).filter((path) => path.startsWith('node_modules/'))).toEqual([
    'node_modules/recollect',
  ])
})

test.each(NODE_VERSIONS)('Node %s runs a round trip', async (version) => {
  const key = await (await Agent.signUp(server.url)).makeKey(SCOPES)
  const script = join(project, `node-${version}.mjs`)
  const entry = `import { roundTrip } from ${PROGRAM}
    console.log(await roundTrip(process.env.BASE, { apiKey: process.env.KEY }))
    if (process.versions.node.split('.')[0] !== '${version}') throw new Error(process.version)`
  // The package stays outside of the bundle: this Node loads its files.
  await writeFile(script, await bundled(entry, { format: 'esm', external: ['recollect'] }))
  const env = { PATH: process.env['PATH'], BASE: server.url, KEY: key }
  const { stdout } = await promisify(execFile)(nodeBinary(version), [script], { cwd: project, env })
  expect(JSON.parse(stdout)).toEqual(EXPECTED)
})

test('Deno runs a round trip, and needs the network alone', async () => {
  const key = await (await Agent.signUp(server.url)).makeKey(SCOPES)
  await copyFile(SOURCE, join(project, 'round-trip.ts'))
  await writeFile(
    join(project, 'deno.ts'),
    `import { roundTrip } from './round-trip.ts'
    const [base = '', apiKey = ''] = Deno.args
    console.log(await roundTrip(base, { apiKey }))`,
  )
  // Neither file nor variable may be read, and no other host be called.
  const args = ['run', '--no-prompt', '--no-remote', '--no-lock', `--allow-net=${new URL(server.url).host}`, 'deno.ts']
  const env = { PATH: process.env['PATH'], DENO_DIR: join(project, '.deno'), DENO_NO_UPDATE_CHECK: '1' }
  const { stdout } = await promisify(execFile)(DENO, [...args, server.url, key], { cwd: project, env })
  expect(JSON.parse(stdout)).toEqual(EXPECTED)
})

test('a Worker runs a round trip', async () => {
  const key = await (await Agent.signUp(server.url)).makeKey(SCOPES)
  const entry = `import { roundTrip } from ${PROGRAM}
    export default { fetch: async (request, env) => new Response(await roundTrip(env.BASE, { apiKey: env.KEY })) }`
  const worker = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: await bundled(entry, { format: 'esm' }),
      compatibilityDate: '2026-11-01',
      bindings: { BASE: server.url, KEY: key },
    }),
  )
  try {
    const answer = await worker.dispatchFetch('http://worker.test/')
    expect(await answer.json()).toEqual(EXPECTED)
  } finally {
    await worker.dispose()
  }
})

test.runIf(hasBrowser)('a browser runs a round trip from another origin', async () => {
  const { session } = await Agent.signUp(server.url)
  const script = await bundled(`import { roundTrip } from ${PROGRAM}; globalThis.roundTrip = roundTrip`, {
    format: 'iife',
  })
  const site = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html').end(`<!doctype html><script>${script}</script>`)
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
    const call = `roundTrip(${JSON.stringify(server.url)}, { sessionToken: ${JSON.stringify(session)} })`
    expect(JSON.parse(await page.evaluate<string>(call))).toEqual(EXPECTED)
  } finally {
    await browser.close()
    site.close()
  }
})
