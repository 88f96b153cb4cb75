import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { buildClient } from '../../../build.ts'
import { ROOT } from '../../../../tools/wrangler.ts'
import { installRuntimes } from './runtimes.ts'

const SHARED = 'RECOLLECT_TARBALL'

/** Called by Vitest once before all tests of the project: they install one tarball. */
export default async function packOnce(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-package-'))
  const out = join(folder, 'client')
  await Promise.all([buildClient(out), installRuntimes()])
  const { stdout } = await npm(['pack', out, '--pack-destination', folder, '--silent'], folder)
  process.env[SHARED] = join(folder, stdout.trim())
  return () => rm(folder, { recursive: true, force: true })
}

export const tarball = (): string => process.env[SHARED] ?? ''

/** An empty project with the packed package, and with packages of this repository that stand for what a user installs. */
export async function newProject(packages: readonly string[] = []): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-project-'))
  await writeFile(join(folder, 'package.json'), '{"name":"project","private":true,"type":"module"}')
  await npm(['install', '--offline', '--no-audit', '--no-fund', '--silent', tarball()], folder)
  for (const name of packages) {
    const target = join(folder, 'node_modules', name)
    await mkdir(join(target, '..'), { recursive: true })
    await symlink(join(ROOT, 'node_modules', name), target)
  }
  return folder
}

function npm(args: string[], cwd: string): Promise<{ stdout: string }> {
  return promisify(execFile)('npm', args, { cwd })
}
