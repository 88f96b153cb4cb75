import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { MAX_CORE_BYTES, buildClient, coreBytesOf } from '../../build.ts'
import { newProject, tarball } from './support/build.ts'

let project: string
beforeAll(async () => {
  project = await newProject()
})
afterAll(() => rm(project, { recursive: true, force: true }))

const installed = () => join(project, 'node_modules/recollect')

test('the core is small', async () => {
  const bytes = await coreBytesOf(installed())
  expect(bytes).toBeGreaterThan(MAX_CORE_BYTES / 2)
  expect(bytes).toBeLessThanOrEqual(MAX_CORE_BYTES)
})

test('publint finds nothing', async () => {
  const manifest = JSON.parse(await readFile(join(installed(), 'package.json'), 'utf8')) as object
  const { messages } = await publint({ pkgDir: installed(), strict: true, level: 'suggestion' })
  expect(messages.map((message) => formatMessage(message, manifest))).toEqual([])
})

test('its manifest can be published, and has nothing that only this repository needs', async () => {
  const manifest = JSON.parse(await readFile(join(installed(), 'package.json'), 'utf8')) as object
  expect(manifest).toMatchObject({ name: 'recollect', bin: { recollect: './bin/recollect.js' } })
  expect(manifest).not.toHaveProperty('private')
  expect(manifest).not.toHaveProperty('devDependencies')
})

test('the types are right wherever modules are resolved', async () => {
  const data = new Uint8Array(await readFile(tarball()))
  const result = await checkPackage(createPackageFromTarballData(data))
  if (!result.types) throw new Error('The package has no types.')
  // node10 knows no `exports`.
  const unmeant = result.problems.filter(
    (problem) => !('resolutionKind' in problem && problem.resolutionKind === 'node10'),
  )
  expect(unmeant).toEqual([])
})

test('the command line stays executable when the package is built again', async () => {
  const out = await mkdtemp(join(tmpdir(), 'recollect-built-'))
  onTestFinished(() => rm(out, { recursive: true, force: true }))
  for (const _ of [1, 2]) {
    await buildClient(out)
    expect((await stat(join(out, 'bin/recollect.js'))).mode & 0o777).toBe(0o755)
  }
})

test('it asks for the oldest Node that has what the command line imports', async () => {
  const { engines } = JSON.parse(await readFile(join(installed(), 'package.json'), 'utf8')) as { engines: object }
  // `styleText` came with Node 20.12.
  expect(await readFile(join(installed(), 'bin/recollect.js'), 'utf8')).toContain('styleText')
  expect(engines).toEqual({ node: '>=20.12' })
})

test('no source is in it, and every import of its types names a file that is', async () => {
  const { stdout } = await promisify(execFile)('tar', ['-tzf', tarball()])
  const files = stdout.trim().split('\n')
  expect(files.filter((file) => /(?<!\.d)\.ts$/.test(file))).toEqual([])
  const types = await readFile(join(installed(), 'index.d.ts'), 'utf8')
  const imported = Array.from(types.matchAll(/from '\.\/([^']+)\.js'/g), ([, name]) => `package/${name}.d.ts`)
  expect(imported.length).toBeGreaterThan(5)
  for (const file of imported) expect(files).toContain(file)
})
