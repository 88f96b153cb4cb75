import { mkdir, readdir, readFile, realpath, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Deployment } from '../../../src/cli/config/credentials.ts'
import type { AgentSettings } from '../../../src/cli/agent/settings.ts'
import { testIo } from './io.ts'
import { newRepository } from './repository.ts'

export const KEY_LOGIN: Deployment = { api_key: 'rck_test_agents' }
export const oauthLogin = (expires_at: number): Deployment => ({
  client_id: 'app_1',
  user: { id: 'usr_1', email: 'ada@example.com' },
  oauth: { access_token: 'stale', refresh_token: 'r-1', expires_at, scope: 'read:memory' },
})

/** A home whose agents remember in a repository. */
export async function agentHome(
  url: string,
  login: Deployment = KEY_LOGIN,
  remote = 'git@github.com:acme/api.git',
  at?: string,
) {
  const { io, clock, interrupt } = testIo({
    env: { PATH: process.env['PATH'] ?? '', ...(at === undefined ? {} : { HOME: at }) },
  })
  const home = await realpath(io.env['HOME'] ?? '')
  const folder = await newRepository(join(home, 'api'), remote)
  const config = join(home, '.config/recollect')
  await mkdir(config, { recursive: true })
  const configure = (more: Partial<AgentSettings>) =>
    writeFile(
      join(config, 'agents.json'),
      JSON.stringify({ version: 1, url, everywhere: { on: false }, folders: { [folder]: { on: true } }, ...more }),
    )
  await configure({})
  const credentials = join(config, 'credentials.json')
  const logIn = (as: Deployment) =>
    writeFile(credentials, JSON.stringify({ version: 1, current: url, deployments: { [url]: as } }))
  await logIn(login)
  return {
    io,
    clock,
    interrupt,
    home,
    url,
    folder,
    configure,
    logIn,
    logOut: () => logIn({}),
    login: async () => JSON.parse(await readFile(credentials, 'utf8')).deployments[url] as Deployment,
    /** The text of all that the hooks have written. */
    written: () => textBelow(join(home, '.local')),
  }
}

async function textBelow(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = names.filter((entry) => entry.isFile())
  return (await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')))).join('\n')
}
