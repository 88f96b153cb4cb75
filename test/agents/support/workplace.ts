import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { bundleCli } from '../../../client/build.ts'
import { newRepository } from '../../../client/test/cli/support/repository.ts'
import { until } from '../../support/until.ts'
import type { Agent as Person } from '../../e2e/support/agent.ts'
import { succeed } from './run.ts'

const NAMESPACE = 'repo:github.com/acme/api'

/** A home with the command line, a login and a repository. */
export interface Workplace {
  home: string
  folder: string
  env: Record<string, string>
  recollect(...args: string[]): Promise<string>
  /** Until a text is stored, and nothing waits on this computer. */
  sent(text: string): Promise<void>
  /** Id, version and text of each turn. */
  stored(): Promise<unknown[]>
  remove(): Promise<void>
}

export async function newWorkplace(person: Person): Promise<Workplace> {
  const home = await mkdtemp(join(tmpdir(), 'recollect-agents-'))
  const bin = join(home, 'recollect.js')
  await writeFile(join(home, 'package.json'), '{"type": "module"}')
  await bundleCli(bin)
  const folder = await newRepository(join(home, 'api'), 'https://github.com/acme/api.git')
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, TERM: 'xterm-256color', LANG: 'C.UTF-8' }
  const recollect = (...args: string[]) => succeed(process.execPath, [bin, ...args], { cwd: folder, env })
  const input = await person.makeKey(['read:memory', 'write:memory', 'read:profile'])
  await succeed(process.execPath, [bin, 'login', '--url', person.base, '--key-stdin'], { cwd: folder, env, input })
  return {
    home,
    folder,
    env,
    recollect,
    sent: (text) =>
      until(async () => {
        const [{ waiting }, stored] = await Promise.all([
          recollect('agent', 'status', '--json').then((json) => JSON.parse(json) as { waiting: number }),
          recollect('list', '--namespace', NAMESPACE, '--json'),
        ])
        if (waiting > 0 || !stored.includes(text)) throw new Error(`${waiting} turns wait. Stored: ${stored}`)
      }),
    stored: async () => {
      const exported = await recollect('export', '--namespace', NAMESPACE)
      const lines = exported.split('\n').filter((line) => line.startsWith('{"id"'))
      return lines.map((line) => {
        const { id, version, content } = JSON.parse(line) as Record<string, unknown>
        return { id, version, content }
      })
    },
    // A sender in the background may still write.
    remove: () => rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 }),
  }
}

/** Writes files by their path in a home. */
export async function writeFiles(home: string, files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(home, name)), { recursive: true })
    await writeFile(join(home, name), text)
  }
}
