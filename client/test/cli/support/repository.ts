import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

const IDENTITY = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']

/** What git says, without the settings of this computer. */
export async function git(cwd: string, ...args: string[]): Promise<string> {
  const env = { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' }
  return (await promisify(execFile)('git', [...IDENTITY, ...args], { cwd, env })).stdout.trim()
}

/** A repository with one commit. */
export async function newRepository(folder: string, remote?: string): Promise<string> {
  await mkdir(dirname(folder), { recursive: true })
  await git(dirname(folder), 'init', '--quiet', folder)
  if (remote !== undefined) await git(folder, 'remote', 'add', 'origin', remote)
  await git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'First')
  return folder
}
