import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../wrangler.ts'
import { ECOSYSTEMS, fileName, hashOf, manifestVersion, type Ecosystem } from './packages.ts'

/** Released packages, served for ever: a lock file holds the hash of each. */
export const RELEASES = 'client/releases'
const INDEX = `${RELEASES}/index.json`

/** Of each released file: its own hash, and that of the sources that it was built from. */
export type Releases = Record<string, { sha256: string; sources: string }>

export function releases(root = ROOT): Releases {
  const path = join(root, INDEX)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Releases) : {}
}

export const isReleased = (ecosystem: Ecosystem, version: string, root = ROOT): boolean =>
  fileName(ecosystem, version) in releases(root)

/** What is wrong with the released packages: one line a fault. */
export function checkReleases(root = ROOT): string[] {
  const known = releases(root)
  const changed = Object.entries(known).flatMap(([name, { sha256 }]) => {
    const path = join(root, RELEASES, name)
    if (!existsSync(path)) return [`${RELEASES}/${name} is missing. A released file is served for ever.`]
    const now = createHash('sha256').update(readFileSync(path)).digest('hex')
    return now === sha256 ? [] : [`${RELEASES}/${name} has changed. A released file keeps its bytes.`]
  })
  const stale = ECOSYSTEMS.flatMap((ecosystem) => {
    const version = manifestVersion(ecosystem, root)
    const release = known[fileName(ecosystem, version)]
    if (!release || release.sources === hashOf(ecosystem, root)) return []
    return [
      `The sources of the ${ecosystem} package differ from its release ${version}. Raise the version in its manifest.`,
    ]
  })
  return [...changed, ...stale]
}
