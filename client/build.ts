// `npm run client`: builds the package of the client into dist/client, ready for `npm publish`.
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const HOME = import.meta.dirname
const ROOT = join(HOME, '..')
const SOURCE = join(HOME, 'src')
/** Import path to folder below client/src. */
const ENTRIES = { '.': '.', './ai-sdk': 'ai-sdk', './langgraph': 'langgraph' }
const CLI = join(SOURCE, 'cli/main.ts')
const BIN = 'bin/recollect.js'
/** The packages that a user of a sub-path must install, and for Node 20 the WebSocket. */
const PEERS: Record<string, string> = { '@langchain/langgraph-checkpoint': '>=1', ai: '>=7', ws: '>=8' }

/** The least Node version of the package: the command line needs `styleText`, which came with Node 20.12. */
const ENGINES = { node: '>=20.12' }

/** Bytes of the core as a browser loads it: bundled, minified, gzipped. */
export const MAX_CORE_BYTES = 8 * 1_024

/** Builds the package; the size of its core in bytes. */
export async function buildClient(out = join(ROOT, 'dist/client')): Promise<{ coreBytes: number }> {
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  compile(out)
  await compileSocket(out)
  await bundleCli(join(out, BIN))
  copyFileSync(join(ROOT, 'LICENSE'), join(out, 'LICENSE'))
  copyFileSync(join(HOME, 'README.md'), join(out, 'README.md'))
  writeFileSync(join(out, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
  return { coreBytes: await coreBytesOf(out) }
}

/** ECMAScript modules, and the types of each. */
function compile(out: string): void {
  const { status, stdout, error } = spawnSync('tsc', ['-p', HOME, '--outDir', out], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`tsc: ${error?.message ?? stdout}`)
  // tsc leaves the imports of declarations as they are.
  for (const file of globSync('**/*.d.ts', { cwd: out })) {
    const text = readFileSync(join(out, file), 'utf8')
    writeFileSync(join(out, file), text.replaceAll(/((?:from |import\()'\.[^']*)\.ts'/g, "$1.js'"))
  }
}

/** `tsc` would wrap the import of a name that stands apart in a helper, and put 150 bytes into the core. */
const compileSocket = (out: string) =>
  build({
    entryPoints: [join(SOURCE, 'stream/socket.ts')],
    outfile: join(out, 'stream/socket.js'),
    format: 'esm',
    target: 'es2022',
  })

/** The command line, with all that it needs, in one file that runs on the oldest Node of `ENGINES`. */
export const bundleCli = (outfile: string) =>
  build({
    entryPoints: [CLI],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.12',
    define: { RECOLLECT_VERSION: JSON.stringify(ofProject().version) },
    // Some of its packages are CommonJS, and call `require` for the modules of Node.
    banner: {
      js: "#!/usr/bin/env node\nimport { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)",
    },
    logLevel: 'warning',
  })

/** Of a built package. */
export async function coreBytesOf(out: string): Promise<number> {
  const { outputFiles } = await build({
    entryPoints: [join(out, 'index.js')],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  })
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length
}

const ofProject = (): Record<string, string> =>
  JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<string, string>

function manifest(): object {
  const { name, version, description, license } = ofProject()
  const exported = Object.entries(ENTRIES)
    .filter(([, folder]) => existsSync(join(SOURCE, folder, 'index.ts')))
    .map(([path, folder]) => {
      const file = folder === '.' ? './index' : `./${folder}/index`
      return [path, { types: `${file}.d.ts`, default: `${file}.js` }]
    })
  return {
    name,
    version,
    description: `The client of Recollect. ${description}`,
    license,
    type: 'module',
    sideEffects: false,
    engines: ENGINES,
    exports: { ...Object.fromEntries(exported), './package.json': './package.json' },
    bin: { recollect: `./${BIN}` },
    peerDependencies: PEERS,
    peerDependenciesMeta: Object.fromEntries(Object.keys(PEERS).map((peer) => [peer, { optional: true }])),
  }
}

if (import.meta.main) {
  const { coreBytes } = await buildClient()
  console.log(`dist/client is ready. Its core has ${coreBytes} bytes, gzipped.`)
  if (coreBytes > MAX_CORE_BYTES) throw new Error(`The core is larger than ${MAX_CORE_BYTES} bytes.`)
}
