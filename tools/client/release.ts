// `npm run client:release`: builds both packages with the versions of their manifests, and keeps them in client/releases,
// from where each deployment serves them for ever. Commit what it writes.
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../wrangler.ts'
import { build } from './make.ts'
import { ECOSYSTEMS, fileName, hashOf, manifestVersion } from './packages.ts'
import { isReleased, RELEASES, releases } from './releases.ts'

const index = releases()
mkdirSync(join(ROOT, RELEASES), { recursive: true })
for (const ecosystem of ECOSYSTEMS) {
  const version = manifestVersion(ecosystem)
  const name = fileName(ecosystem, version)
  if (isReleased(ecosystem, version)) {
    console.log(`${name} is released already. Raise the version in its manifest for another release.`)
    continue
  }
  const content = await build(ecosystem, version)
  writeFileSync(join(ROOT, RELEASES, name), content)
  index[name] = { sha256: createHash('sha256').update(content).digest('hex'), sources: hashOf(ecosystem) }
  console.log(`${RELEASES}/${name} is ready.`)
}
writeFileSync(join(ROOT, RELEASES, 'index.json'), `${JSON.stringify(index, null, 2)}\n`)
