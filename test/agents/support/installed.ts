import { mkdir, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Program } from './programs.ts'
import { succeed } from './run.ts'

/** Outside of the repository, since the programs are large and none of ours: `RECOLLECT_AGENTS_CACHE`, else one in the cache folder. */
const CACHE =
  process.env['RECOLLECT_AGENTS_CACHE'] ??
  join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'recollect-agents')

/** The newest version of a program from npm. Fails where it cannot be installed, or does not run. */
export async function installed({ agent, package: name, bin }: Program): Promise<{ path: string; version: string }> {
  const cwd = join(CACHE, agent)
  await mkdir(cwd, { recursive: true })
  await writeFile(join(cwd, 'package.json'), '{"private": true}')
  const npm = ['install', '--no-audit', '--no-fund', '--loglevel=error', `${name}@latest`]
  // With its own configuration, which may be in variables.
  await succeed('npm', npm, { cwd, env: process.env })
  const path = join(cwd, 'node_modules/.bin', bin)
  const version = await succeed(path, ['--version'], { cwd, env: { PATH: process.env['PATH'], HOME: cwd } })
  return { path, version: /\d+\.\d+\.\d+\S*/.exec(version)?.[0] ?? version }
}
