import type { ExecFileOptions } from 'node:child_process'
import { mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { hashOf } from '../../escape-id.ts'
import { namespaceOf } from '../../namespace.ts'
import { statePath } from '../config/paths.ts'
import { orMissing } from '../config/private-file.ts'
import { fingerprint } from '../fingerprint.ts'
import { remoteName } from './remote.ts'

/** Of a disk that does not answer. */
const GIT_MS = 5_000

export interface Repository {
  /** The folder that all worktrees share: the main one, or a bare repository. */
  root: string
  /** What `git rev-parse --git-common-dir` names. */
  gitFolder: string
}

/** The repository of a folder; null where there is none. It reads what gitrepository-layout(5) says, and starts nothing. */
export async function repositoryOf(folder: string): Promise<Repository | null> {
  const real = await orMissing(realpath(folder))
  for (const place of real === null ? [] : upwards(real)) {
    const gitFolder = await commonFolder(join(place, '.git'))
    if (gitFolder === null) continue
    return { gitFolder, root: basename(gitFolder) === '.git' ? dirname(gitFolder) : gitFolder }
  }
  return null
}

/** A folder and all above it, the nearest first. */
export function upwards(folder: string): string[] {
  const above = dirname(folder)
  return above === folder ? [folder] : [folder, ...upwards(above)]
}

/** Of a worktree `.git` is a file that names a folder of its own, which names the one that all share. */
async function commonFolder(path: string): Promise<string | null> {
  const found = await orMissing(stat(path))
  if (!found) return null
  const named = found.isDirectory() ? path : /^gitdir: (.+)/.exec(await readFile(path, 'utf8'))?.[1]
  if (named === undefined) return null
  const own = resolve(dirname(path), named)
  const shared = (await orMissing(readFile(join(own, 'commondir'), 'utf8')))?.replace(/\r?\n$/, '') ?? '.'
  const gitFolder = resolve(own, shared)
  return (await orMissing(stat(join(gitFolder, 'HEAD')))) && realpath(gitFolder)
}

/**
 * `repo:host/owner/name`, the same in each clone and worktree; without a remote `repo:local:…` of this computer. It asks git
 * once, and again after the configuration has changed: a hook waits for each process that it starts. Fails without git.
 */
export async function namespaceIn(
  env: NodeJS.ProcessEnv,
  { root, gitFolder }: Repository,
  signal?: AbortSignal,
): Promise<string> {
  const path = statePath(env, 'agents', 'namespaces', fingerprint(gitFolder))
  const { mtimeMs, size } = await stat(join(gitFolder, 'config'))
  const version = `${mtimeMs} ${size}`
  const [known, namespace] = (await orMissing(readFile(path, 'utf8')))?.split('\n') ?? []
  if (known === version && namespace !== undefined) return namespace
  const address = await remoteOf(gitFolder, env, signal)
  const name = address === null ? null : remoteName(address)
  const fresh = await (name === null
    ? namespaceOf('repo', 'local', `${basename(root).replace(/\.git$/, '')}-${await hashOf(gitFolder)}`)
    : namespaceOf('repo', name))
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeFile(path, `${version}\n${fresh}`, { mode: 0o600 })
  return fresh
}

/** The exit code of git for a remote that is not there. */
const NO_REMOTE = 2

/** The address of `origin`; null without one. No shell runs git, and no variable names another repository. */
async function remoteOf(folder: string, env: NodeJS.ProcessEnv, signal?: AbortSignal): Promise<string | null> {
  // Loaded only where it is needed: a hook starts often.
  const { execFile } = await import('node:child_process')
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_')))
  const options: ExecFileOptions = {
    cwd: folder,
    env: kept,
    timeout: GIT_MS,
    windowsHide: true,
    ...(signal && { signal }),
  }
  return new Promise((settle, fail) => {
    execFile('git', ['remote', 'get-url', 'origin'], { ...options, encoding: 'utf8' }, (error, output) => {
      if (error && error.code !== NO_REMOTE)
        fail(new Error('git does not tell the remote of this repository.', { cause: error }))
      else settle(error ? null : output.replace(/\r?\n$/, ''))
    })
  })
}
