// Makes the packages that a deployment serves below /client: the released ones, and the current ones if their sources have
// changed since. tools/build-assets.mjs runs it before each bundle.
import { createHash, randomUUID } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../wrangler.ts'
import { tarball } from './archives.ts'
import { developmentVersion, ECOSYSTEMS, fileName, hashOf, manifestVersion, type Ecosystem } from './packages.ts'
import { isReleased, RELEASES } from './releases.ts'
import { wheel } from './wheel.ts'

export const SERVED = 'src/portal/static/client'
const VERSIONS = 'versions.json'

/** The version that the sources have now. */
export function currentVersion(ecosystem: Ecosystem): string {
  const version = manifestVersion(ecosystem)
  return isReleased(ecosystem, version) ? version : developmentVersion(ecosystem, version, hashOf(ecosystem))
}

/** Writes what is missing, and removes what belongs to earlier sources. */
export async function makeClientFiles(): Promise<void> {
  const folder = join(ROOT, SERVED)
  mkdirSync(folder, { recursive: true })
  const released = globSync('*.{tgz,whl}', { cwd: join(ROOT, RELEASES) })
  for (const name of released)
    if (!existsSync(join(folder, name))) copyFileSync(join(ROOT, RELEASES, name), join(folder, name))
  const current = ECOSYSTEMS.map((ecosystem) => ({ ecosystem, version: currentVersion(ecosystem) }))
  for (const { ecosystem, version } of current) {
    const name = fileName(ecosystem, version)
    if (!existsSync(join(folder, name))) write(name, await build(ecosystem, version))
  }
  const kept = new Set([
    ...released,
    ...current.map(({ ecosystem, version }) => fileName(ecosystem, version)),
    VERSIONS,
  ])
  for (const name of globSync('*', { cwd: folder })) if (!kept.has(name)) rmSync(join(folder, name), { force: true })
  const versions = Object.fromEntries(
    current.map(({ ecosystem, version }) => [ecosystem, described(ecosystem, version)]),
  )
  const text = `${JSON.stringify(versions, null, 2)}\n`
  const path = join(folder, VERSIONS)
  // wrangler watches the folder.
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) write(VERSIONS, text)
}

function described(ecosystem: Ecosystem, version: string): { version: string; url: string; sha256: string } {
  const name = fileName(ecosystem, version)
  const sha256 = createHash('sha256')
    .update(readFileSync(join(ROOT, SERVED, name)))
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
    const paths = files.map(({ parentPath, name }) => join(parentPath, name).slice(out.length + 1))
    return tarball(
      paths.map((path) => ({ path, content: readFileSync(join(out, path)), ...(path === BIN ? { mode: 0o755 } : {}) })),
    )
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}

/** At once: a server may read the folder meanwhile. */
function write(name: string, content: Buffer | string): void {
  const draft = join(tmpdir(), `recollect-${randomUUID()}`)
  writeFileSync(draft, content)
  try {
    renameSync(draft, join(ROOT, SERVED, name))
  } catch {
    // Another file system.
    copyFileSync(draft, join(ROOT, SERVED, name))
    rmSync(draft)
  }
}

if (import.meta.main) await makeClientFiles()
