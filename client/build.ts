// `npm run client`: builds the package of the client into dist/client.
import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const HOME = import.meta.dirname
const ROOT = join(HOME, '..')
const SOURCE = join(HOME, 'src')
const CLI = join(SOURCE, 'cli/main.ts')
const HOOK = join(SOURCE, 'cli/hook/main.ts')
export const BIN = 'bin/recollect.js'
/** What coding agents run, beside the command line. */
const HOOK_BIN = 'recollect-hook.js'
/** The folder of what `require` gets. */
const COMMONJS = 'cjs'

/** Of client/package.json, which exports sources. */
interface Manifest {
  version: string
  private: boolean
  engines: { node: string }
  exports: Record<string, string>
  devDependencies: object
}
const MANIFEST = JSON.parse(readFileSync(join(HOME, 'package.json'), 'utf8')) as Manifest
const OLDEST_NODE = `node${MANIFEST.engines.node.replace('>=', '')}`

/** Bytes of the core as a browser loads it: bundled, minified, gzipped. */
export const MAX_CORE_BYTES = 9 * 1_024

/** Builds the package; the size of its core in bytes. */
export async function buildClient(
  out = join(ROOT, 'dist/client'),
  version = MANIFEST.version,
): Promise<{ coreBytes: number }> {
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  compile(out)
  await compileSocket(out)
  await compileCommonJs(out)
  await bundleCli(join(out, BIN), version)
  // A link to it, as `npm link` makes one, works after the next build too.
  chmodSync(join(out, BIN), 0o755)
  copyFileSync(join(ROOT, 'LICENSE'), join(out, 'LICENSE'))
  copyFileSync(join(HOME, 'README.md'), join(out, 'README.md'))
  writeFileSync(join(out, 'package.json'), `${JSON.stringify({ ...publishedManifest(), version }, null, 2)}\n`)
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

/** The same modules for `require`, file by file, so that all entries share one class of each error. */
async function compileCommonJs(out: string): Promise<void> {
  const modules = globSync('**/*.js', { cwd: out })
  await build({
    entryPoints: modules.map((file) => join(out, file)),
    outbase: out,
    outdir: join(out, COMMONJS),
    format: 'cjs',
    platform: 'node',
    target: OLDEST_NODE,
  })
  for (const types of globSync('**/*.d.ts', { cwd: out })) {
    mkdirSync(join(out, COMMONJS, dirname(types)), { recursive: true })
    copyFileSync(join(out, types), join(out, COMMONJS, types))
  }
  writeFileSync(join(out, COMMONJS, 'package.json'), '{"type":"commonjs","sideEffects":false}\n')
}

/** Bytes of the program that each hook of a coding agent starts. */
export const MAX_HOOK_BYTES = 60 * 1_024

/** The command line and the program of the hooks, with all that each needs in one file. */
export async function bundleCli(outfile: string, version = MANIFEST.version): Promise<void> {
  await Promise.all([bundleCommands(outfile, version), bundleHook(join(dirname(outfile), HOOK_BIN))])
}

/** Small, because an agent waits for it to start. */
const bundleHook = (outfile: string) =>
  build({
    entryPoints: [HOOK],
    outfile,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    target: OLDEST_NODE,
    logLevel: 'warning',
  })

/** One file that runs on the oldest Node of the manifest. */
const bundleCommands = (outfile: string, version: string) =>
  build({
    entryPoints: [CLI],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: OLDEST_NODE,
    define: { RECOLLECT_VERSION: JSON.stringify(version) },
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

/** The manifest with compiled files in place of sources, without what only this repository needs. */
function publishedManifest(): object {
  const { private: _, devDependencies: __, ...published } = MANIFEST
  const exported = Object.entries(MANIFEST.exports).map(([path, file]) => {
    const compiled = file.replace('/src/', '/').replace(/\.ts$/, '')
    if (compiled === file) return [path, file]
    const entry = (base: string) => ({ types: `${base}.d.ts`, default: `${base}.js` })
    return [path, { import: entry(compiled), require: entry(compiled.replace('./', `./${COMMONJS}/`)) }]
  })
  return { ...published, exports: Object.fromEntries(exported), bin: { recollect: `./${BIN}` } }
}

if (import.meta.main) {
  const { coreBytes } = await buildClient()
  console.log(`dist/client is ready. Its core has ${coreBytes} bytes, gzipped.`)
  if (coreBytes > MAX_CORE_BYTES) throw new Error(`The core is larger than ${MAX_CORE_BYTES} bytes.`)
}
