import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { parse } from 'smol-toml'
import { ROOT } from '../wrangler.ts'

export type Ecosystem = 'npm' | 'python'

export const ECOSYSTEMS: readonly Ecosystem[] = ['npm', 'python']

/** What a package is made of. The files that make it count too: the bytes of an address never change. */
const SOURCES: Record<Ecosystem, string[]> = {
  npm: ['client/src/**/*.ts', 'client/*.{json,md,ts}', 'LICENSE', 'tools/client/archives.ts'],
  python: [
    'client/python/src/**/{*.py,py.typed}',
    'client/python/{pyproject.toml,README.md,LICENSE}',
    'tools/client/{archives,wheel}.ts',
  ],
}

/** The parts of `client/python/pyproject.toml` that the package's metadata repeats. */
export interface PythonProject {
  name: string
  version: string
  description: string
  readme: string
  license: string
  'requires-python': string
  dependencies: string[]
  'optional-dependencies': Record<string, string[]>
}

export const readFrom = (root: string, file: string): string => readFileSync(join(root, file), 'utf8')

export function pythonProject(root: string): PythonProject {
  const { project } = parse(readFrom(root, 'client/python/pyproject.toml')) as { project: unknown }
  return project as PythonProject
}

/** The version of the manifest: that of the next release, or of the latest as long as nothing has changed since. */
export const manifestVersion = (ecosystem: Ecosystem, root = ROOT): string =>
  ecosystem === 'npm'
    ? (JSON.parse(readFrom(root, 'client/package.json')) as { version: string }).version
    : pythonProject(root).version

/** The SHA-256 of a package's sources with their paths, and of what compiles them. */
export function hashOf(ecosystem: Ecosystem, root = ROOT): string {
  const hash = createHash('sha256')
  for (const file of globSync(SOURCES[ecosystem], { cwd: root }).map(posix).sort())
    hash.update(`${file}\0${readFrom(root, file)}\0`)
  hash.update(versionOf(root, 'fflate'))
  if (ecosystem === 'npm') hash.update(versionOf(root, 'typescript'))
  return hash.digest('hex')
}

/** What packs and compiles. esbuild stands in the client's own manifest. */
const versionOf = (root: string, tool: 'fflate' | 'typescript'): string =>
  (JSON.parse(readFrom(root, 'package.json')) as { devDependencies: Record<typeof tool, string> }).devDependencies[tool]

/** Archives name files with `/` on each system. */
export const posix = (path: string): string => path.replaceAll(sep, '/')

/** Between releases: the version to come, and eight digits of the hash of the sources. */
export function developmentVersion(ecosystem: Ecosystem, version: string, hash: string): string {
  // A pre-release of digits alone cannot begin with 0 (semver §9).
  const digits = /(?!0\d{7})[\da-f]{8}/.exec(hash)?.[0] ?? ''
  return ecosystem === 'npm' ? `${version}-dev.${digits}` : `${version}.dev${Number.parseInt(digits, 16)}`
}

export const fileName = (ecosystem: Ecosystem, version: string): string =>
  ecosystem === 'npm' ? `recollect-${version}.tgz` : `recollect-${version}-py3-none-any.whl`
