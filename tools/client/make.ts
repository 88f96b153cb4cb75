// Makes the packages that a deployment serves below /client: the released ones, and the current ones if their sources have
// changed since. tools/build-assets.mjs runs it before each bundle.
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { ROOT } from '../wrangler.ts'
import { tarball } from './archives.ts'
import { developmentVersion, ECOSYSTEMS, fileName, hashOf, manifestVersion, posix, type Ecosystem } from './packages.ts'
import { isReleased, RELEASES } from './releases.ts'
import { wheel } from './wheel.ts'

const SERVED = 'src/portal/static/client'
const VERSIONS = 'versions.json'
/** wrangler watches the served folder, so a file is written elsewhere and moved there at once. */
const DRAFTS = 'node_modules/.cache'

/** The version that the sources have now. */
function currentVersion(ecosystem: Ecosystem, root: string): string {
  const version = manifestVersion(ecosystem, root)
  return isReleased(ecosystem, version, root)
    ? version
    : developmentVersion(ecosystem, version, hashOf(ecosystem, root))
}

/** Writes what is missing, and removes what belongs to earlier sources. */
export async function makeClientFiles(root = ROOT, make = build): Promise<void> {
  const folder = join(root, SERVED)
  for (const path of [folder, join(root, DRAFTS)]) mkdirSync(path, { recursive: true })
  const released = globSync('*.{tgz,whl}', { cwd: join(root, RELEASES) })
  for (const name of released)
    if (!existsSync(join(folder, name))) write(root, name, readFileSync(join(root, RELEASES, name)))
  const current = ECOSYSTEMS.map((ecosystem) => ({ ecosystem, version: currentVersion(ecosystem, root) }))
  for (const { ecosystem, version } of current) {
    const name = fileName(ecosystem, version)
    if (!existsSync(join(folder, name))) write(root, name, await make(ecosystem, version))
  }
  const names = current.map(({ ecosystem, version }) => fileName(ecosystem, version))
  const kept = new Set([...released, ...names, VERSIONS])
  for (const name of globSync('*', { cwd: folder })) if (!kept.has(name)) rmSync(join(folder, name), { force: true })
  const versions = Object.fromEntries(
    current.map(({ ecosystem, version }) => [ecosystem, described(folder, fileName(ecosystem, version), version)]),
  )
  const text = `${JSON.stringify(versions, null, 2)}\n`
  const path = join(folder, VERSIONS)
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) write(root, VERSIONS, text)
}

function described(folder: string, name: string, version: string): { version: string; url: string; sha256: string } {
  const sha256 = createHash('sha256')
    .update(readFileSync(join(folder, name)))
    .digest('hex')
  return { version, url: `/client/${name}`, sha256 }
}

/** Builds a package from its sources. */
export async function build(ecosystem: Ecosystem, version: string): Promise<Buffer> {
  if (ecosystem === 'python') return wheel(version)
  // Loads esbuild, which only a change of the sources needs.
  const { BIN, buildClient } = await import('../../client/build.ts')
  const out = mkdtempSync(join(tmpdir(), 'recollect-client-'))
  try {
    await buildClient(out, version)
    const files = globSync('**/*', { cwd: out, withFileTypes: true }).filter((each) => each.isFile())
    const paths = files.map(({ parentPath, name }) => posix(relative(out, join(parentPath, name))))
    return tarball(
      paths.map((path) => ({ path, content: readFileSync(join(out, path)), ...(path === BIN ? { mode: 0o755 } : {}) })),
    )
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}

function write(root: string, name: string, content: Buffer | string): void {
  const draft = join(root, DRAFTS, `client-${randomUUID()}`)
  writeFileSync(draft, content)
  renameSync(draft, join(root, SERVED, name))
}

if (import.meta.main) await makeClientFiles()
