import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { tarball, zip } from '../../tools/client/archives.ts'
import { makeClientFiles } from '../../tools/client/make.ts'
import { developmentVersion, fileName, hashOf, manifestVersion, type Ecosystem } from '../../tools/client/packages.ts'
import { checkReleases } from '../../tools/client/releases.ts'
import { wheel } from '../../tools/client/wheel.ts'
import { pythonEnvironment } from '../../tools/python/environment.ts'
import { ROOT } from '../../tools/wrangler.ts'
import { hasPython } from '../e2e/support/python.ts'

const run = promisify(execFile)
const ENVIRONMENT_MS = 240_000
const VERSION = manifestVersion('python')

async function scratch(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-archives-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

test('archives have the same bytes on each machine and in each time zone', () => {
  const entries = [{ path: 'a/x.js', content: Buffer.from('export const x = 1\n'.repeat(100)) }]
  expect(sha256(tarball(entries))).toBe('915920320df3672266231d108d8fef75f9ece396595676caa19af9031c9fc10e')
  expect(sha256(zip(entries))).toBe('1395b9ada0b2459d177a762620e36bc32d4ac72b1c83c039f4728f64103a68e4')
})

test('a tarball has its files with their permissions, and the same bytes each time', async () => {
  const entries = [
    { path: 'package.json', content: Buffer.from('{"name":"x"}') },
    { path: 'bin/x.js', content: Buffer.from('#!/usr/bin/env node\n'.repeat(60)), mode: 0o755 },
  ]
  const bytes = tarball(entries)
  expect(tarball(entries.toReversed())).toEqual(bytes)
  const folder = await scratch()
  await writeFile(join(folder, 'x.tgz'), bytes)
  const { stdout } = await run('tar', ['-tvzf', 'x.tgz'], { cwd: folder, env: { ...process.env, TZ: 'UTC' } })
  expect(stdout).toMatch(
    /^-rwxr-xr-x 0\/0 +1200 1985-10-26 08:15 package\/bin\/x\.js\n-rw-r--r-- .* package\/package\.json\n$/,
  )
  await run('tar', ['-xzf', 'x.tgz'], { cwd: folder })
  for (const { path, content } of entries) expect(readFileSync(join(folder, 'package', path))).toEqual(content)
})

test.runIf(hasPython)('a zip file has its files, and the same bytes each time', async () => {
  const entries = [
    { path: 'a/ä.txt', content: Buffer.from('Tea.'.repeat(1_000)) },
    { path: 'empty', content: Buffer.alloc(0) },
  ]
  const bytes = zip(entries)
  expect(zip(entries)).toEqual(bytes)
  const folder = await scratch()
  await writeFile(join(folder, 'x.zip'), bytes)
  const read =
    'import json, zipfile; z = zipfile.ZipFile("x.zip"); print(z.testzip(), json.dumps({i.filename: [len(z.read(i)), oct(i.external_attr >> 16)] for i in z.infolist()}))'
  const { stdout } = await run('python3', ['-c', read], { cwd: folder })
  expect(stdout).toBe('None {"a/\\u00e4.txt": [4000, "0o100644"], "empty": [0, "0o100644"]}\n')
})

test('the wheel has at most 150 KB, and the same bytes each time', () => {
  const bytes = wheel(VERSION)
  expect(bytes.length).toBeGreaterThan(20_000)
  expect(bytes.length).toBeLessThanOrEqual(150_000)
  expect(wheel(VERSION)).toEqual(bytes)
})

const READ = `
import email, json, sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
names = [name for name in z.namelist() if "dist-info" not in name]
about = email.message_from_bytes(z.read(next(name for name in z.namelist() if name.endswith("METADATA"))))
fields = sorted((name, value.replace('"', "'")) for name, value in about.items() if name not in ("Version", "Metadata-Version"))
licence = [z.read(name).decode() for name in z.namelist() if name.endswith("LICENSE")]
print(json.dumps([{name: z.read(name).decode() for name in sorted(names)}, fields, about.get_payload().strip(), licence]))
`

test.runIf(hasPython)(
  'the wheel is what its own build tool makes of the same sources',
  async () => {
    const folder = await scratch()
    const { python } = await pythonEnvironment()
    await writeFile(join(folder, fileName('python', '0.1.0.dev1')), wheel('0.1.0.dev1'))
    const built = join(folder, 'built')
    await run(python, ['-m', 'hatchling', 'build', '-t', 'wheel', '-d', built], { cwd: join(ROOT, 'client/python') })
    const [name = ''] = await readdir(built)
    const read = async (file: string) =>
      JSON.parse((await run(python, ['-c', READ, file], { maxBuffer: 2 ** 26 })).stdout)
    expect(await read(join(folder, fileName('python', '0.1.0.dev1')))).toEqual(await read(join(built, name)))
  },
  ENVIRONMENT_MS,
)

test.each([
  ['npm', '0a1b2c3d4e', '0.2.0-dev.0a1b2c3d'],
  ['python', '0a1b2c3d4e', '0.2.0.dev169552957'],
  // semver §9 refuses 0.2.0-dev.01234567.
  ['npm', '01234567a89', '0.2.0-dev.1234567a'],
  ['npm', '12345678a', '0.2.0-dev.12345678'],
] as const)('between releases the version of the %s package of %s is %s', (ecosystem, hash, version) => {
  expect(developmentVersion(ecosystem, '0.2.0', hash)).toBe(version)
})

/** A copy of what a release is checked against. */
function project(): string {
  const root = mkdtempSync(join(tmpdir(), 'recollect-releases-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const path of ['package.json', 'client/package.json', 'client/python', 'LICENSE'])
    cpSync(join(ROOT, path), join(root, path), { recursive: true })
  const name = fileName('python', VERSION)
  mkdirSync(join(root, 'client/releases'))
  writeFileSync(join(root, 'client/releases', name), 'wheel')
  const sha256 = createHash('sha256').update('wheel').digest('hex')
  const index = { [name]: { sha256, sources: hashOf('python', root) } }
  writeFileSync(join(root, 'client/releases/index.json'), JSON.stringify(index))
  return root
}

test('a released version keeps its file and its sources', () => {
  const root = project()
  expect(checkReleases(root)).toEqual([])
  const source = join(root, 'client/python/src/recollect/__init__.py')
  const before = readFileSync(source, 'utf8')
  writeFileSync(source, `${before}# A change.\n`)
  expect(checkReleases(root)).toEqual([
    `The sources of the python package differ from its release ${VERSION}. Raise the version in its manifest.`,
  ])
  const manifest = join(root, 'client/python/pyproject.toml')
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(`version = "${VERSION}"`, 'version = "99.0.0"'))
  expect(checkReleases(root)).toEqual([])
  const file = join(root, 'client/releases', fileName('python', VERSION))
  writeFileSync(file, 'other')
  expect(checkReleases(root)).toEqual([expect.stringContaining('has changed')])
  rmSync(file)
  expect(checkReleases(root)).toEqual([expect.stringContaining('is missing')])
})

test('a deployment serves what was released before it, and of unreleased packages the current one', async () => {
  const root = project()
  const made: string[] = []
  const make = (ecosystem: Ecosystem, version: string) => {
    made.push(fileName(ecosystem, version))
    return Promise.resolve(Buffer.from(version))
  }
  const served = () => readdirSync(join(root, 'src/portal/static/client')).sort()
  const released = fileName('python', VERSION)
  await makeClientFiles(root, make)
  const [first = ''] = made
  expect(served()).toEqual([first, released, 'versions.json'])
  await makeClientFiles(root, make)
  expect(made).toEqual([first])

  writeFileSync(join(root, 'client/README.md'), 'A change.')
  const manifest = join(root, 'client/python/pyproject.toml')
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(`version = "${VERSION}"`, 'version = "99.0.0"'))
  await makeClientFiles(root, make)
  const [, npm = '', python = ''] = made
  expect(served()).toEqual([npm, released, python, 'versions.json'].sort())
  expect(readFileSync(join(root, 'src/portal/static/client', released), 'utf8')).toBe('wheel')
  const versions = JSON.parse(readFileSync(join(root, 'src/portal/static/client/versions.json'), 'utf8')) as unknown
  expect(versions).toMatchObject({ npm: { url: `/client/${npm}` }, python: { url: `/client/${python}` } })
})

test('the releases of this repository are as they were', () => {
  expect(checkReleases()).toEqual([])
})
