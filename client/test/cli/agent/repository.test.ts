import { mkdir, realpath, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { namespaceIn, repositoryOf } from '../../../src/cli/agent/repository.ts'
import { decide, IGNORE_FILE, type AgentSettings } from '../../../src/cli/agent/settings.ts'
import { testIo } from '../support/io.ts'
import { git, newRepository } from '../support/repository.ts'

const ENV = { PATH: process.env['PATH'] ?? '' }

/** Both halves of what is known of a repository. */
async function known(folder: string, env: NodeJS.ProcessEnv = {}) {
  const repository = await repositoryOf(folder)
  const all = { ...ENV, HOME: testIo().home, ...env }
  return repository && { root: repository.root, namespace: await namespaceIn(all, repository) }
}

const newFolder = async () => realpath(testIo().home)
const settings = (folders: AgentSettings['folders'], on = false): AgentSettings => ({
  version: 1,
  url: 'https://a.example',
  everywhere: { on },
  folders,
})

test('the folders of a repository, its clones and its worktrees have one namespace', async () => {
  const home = await newFolder()
  const main = await newRepository(join(home, 'api'), 'https://ada:ghp_secret@GitHub.com/acme/api.git')
  const clone = await newRepository(join(home, 'clone'), 'git@github.com:acme/api.git')
  await git(main, 'worktree', 'add', '--quiet', join(home, 'fix'))
  await mkdir(join(main, 'src/deep'), { recursive: true })
  const repository = { namespace: 'repo:github.com/acme/api', root: main }
  for (const folder of [main, join(main, 'src/deep'), join(home, 'fix')])
    expect(await known(folder)).toEqual(repository)
  expect(await known(clone)).toEqual({ ...repository, root: clone })
})

test('a repository without a remote has a namespace of its own, also one whose remote is a folder', async () => {
  const home = await newFolder()
  const one = await newRepository(join(home, 'one/api'))
  const two = await newRepository(join(home, 'two/api'), '/srv/git/api.git')
  const [first, second] = await Promise.all([known(one), known(two)])
  expect(first?.namespace).toMatch(/^repo:local:api-[\w-]{22}$/)
  expect(second?.namespace).toMatch(/^repo:local:api-[\w-]{22}$/)
  expect(first?.namespace).not.toBe(second?.namespace)
  await git(one, 'worktree', 'add', '--quiet', join(home, 'fix'))
  expect(await known(join(home, 'fix'))).toEqual(first)
})

test('a name beyond the alphabet or the length of namespaces is escaped and shortened', async () => {
  const home = await newFolder()
  const odd = await newRepository(join(home, 'odd'), 'https://github.com/acme/Käse%20Buch.git')
  expect((await known(odd))?.namespace).toBe('repo:github.com/acme/K=C3=A4se=20Buch')
  const long = await newRepository(join(home, 'long'), `https://github.com/acme/${'api-'.repeat(40)}`)
  const { namespace = '' } = (await known(long)) ?? {}
  expect(namespace).toHaveLength(128)
  expect(namespace).toMatch(/^repo:github\.com\/acme\/api-.*=h[\w-]{22}$/)
})

test('no repository: a plain folder, one that is gone, and what only looks like one', async () => {
  const home = await newFolder()
  expect(await repositoryOf(home)).toBeNull()
  expect(await repositoryOf(join(home, 'gone'))).toBeNull()
  await mkdir(join(home, 'empty/.git'), { recursive: true })
  await mkdir(join(home, 'broken'))
  await writeFile(join(home, 'broken/.git'), 'gitdir: ../gone\n')
  expect(await repositoryOf(join(home, 'empty'))).toBeNull()
  expect(await repositoryOf(join(home, 'broken'))).toBeNull()
})

test('worktrees of a bare repository, and submodules, are what git says', async () => {
  const home = await newFolder()
  const api = await newRepository(join(home, 'api'), 'https://github.com/acme/api')
  await git(home, 'clone', '--quiet', '--bare', api, 'bare.git')
  await git(join(home, 'bare.git'), 'worktree', 'add', '--quiet', join(home, 'fix'))
  const part = await newRepository(join(home, 'part'))
  await git(api, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', part, 'part')
  for (const folder of [api, join(home, 'fix'), join(api, 'part')]) {
    const said = await git(folder, 'rev-parse', '--git-common-dir')
    expect((await repositoryOf(folder))?.gitFolder).toBe(await realpath(resolve(folder, said)))
  }
  expect((await repositoryOf(join(home, 'fix')))?.root).toBe(join(home, 'bare.git'))
})

test('git is asked once, and again when the remote has changed; without git nothing is guessed', async () => {
  const home = await newFolder()
  const api = await newRepository(join(home, 'api'), 'https://github.com/acme/api')
  const env = { HOME: home }
  await expect(known(api, { ...env, PATH: '' })).rejects.toThrow('git does not tell the remote')
  expect((await known(api, env))?.namespace).toBe('repo:github.com/acme/api')
  expect((await known(api, { ...env, PATH: '' }))?.namespace).toBe('repo:github.com/acme/api')
  await git(api, 'remote', 'set-url', 'origin', 'https://github.com/acme/renamed')
  expect((await known(api, env))?.namespace).toBe('repo:github.com/acme/renamed')
})

test('variables of a hook of git do not name another repository', async () => {
  const home = await newFolder()
  const api = await newRepository(join(home, 'api'), 'https://github.com/acme/api')
  const other = await newRepository(join(home, 'other'), 'https://github.com/acme/other')
  const env = { GIT_DIR: join(other, '.git'), GIT_WORK_TREE: other }
  expect((await known(api, env))?.namespace).toBe('repo:github.com/acme/api')
})

test('the nearest folder decides, and a worktree follows its repository', async () => {
  const home = await newFolder()
  const api = await newRepository(join(home, 'work/api'), 'https://github.com/acme/api')
  const fix = join(home, 'fix')
  await git(api, 'worktree', 'add', '--quiet', fix)
  const secret = join(api, 'secret')
  await mkdir(secret)
  const repository = await repositoryOf(api)
  const decided = (folders: AgentSettings['folders'], folder: string, on = false) =>
    decide(settings(folders, on), {}, folder, repository)
  const off = { on: false, why: 'disabled' }

  expect(await decided({}, api)).toEqual(off)
  expect(await decided({}, api, true)).toEqual({ on: true, share: null })
  expect(await decided({ [api]: { on: true } }, secret)).toEqual({ on: true, share: null })
  expect(await decided({ [api]: { on: true, share: 'prj_1' } }, fix)).toEqual({ on: true, share: 'prj_1' })
  expect(await decided({ [api]: { on: true }, [fix]: { on: false } }, fix)).toEqual(off)
  expect(await decided({ [join(home, 'work')]: { on: true } }, secret)).toEqual({ on: true, share: null })
  expect(await decided({ [api]: { on: true }, [secret]: { on: false } }, secret)).toEqual(off)
  expect(await decided({ [api]: { on: false } }, secret, true)).toEqual(off)
})

test('a file and a variable turn it off, whatever is enabled', async () => {
  const home = await newFolder()
  const api = await newRepository(join(home, 'work/api'), 'https://github.com/acme/api')
  const fix = join(home, 'fix')
  await git(api, 'worktree', 'add', '--quiet', fix)
  const repository = await repositoryOf(api)
  const decided = (env: NodeJS.ProcessEnv, folder: string) =>
    decide(settings({ [folder]: { on: true } }, true), env, folder, repository)
  for (const value of ['off', 'OFF', '0', 'no', 'false'])
    expect(await decided({ RECOLLECT_AGENT: value }, api)).toEqual({ on: false, why: 'variable' })
  for (const value of ['', 'on']) expect((await decided({ RECOLLECT_AGENT: value }, api)).on).toBe(true)
  await writeFile(join(home, 'work', IGNORE_FILE), '')
  for (const folder of [api, fix]) expect(await decided({}, folder)).toEqual({ on: false, why: 'ignored' })
  expect(await decide(settings({}, true), {}, home, null)).toEqual({ on: false, why: 'no repository' })
})
