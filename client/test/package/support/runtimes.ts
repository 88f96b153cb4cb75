import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../../../../tools/wrangler.ts'

const HOME = join(ROOT, 'tools/runtimes')

export const NODE_VERSIONS = ['20', '22', '24'] as const
export type NodeVersion = (typeof NODE_VERSIONS)[number]

/** The binary of a version. 24 is the one that everything here runs on. */
export const nodeBinary = (version: NodeVersion): string =>
  version === '24' ? process.execPath : join(HOME, `node_modules/node-${version}/bin/node`)

export const DENO = join(HOME, 'node_modules/.bin/deno')

/** They are no packages of the project, because each has 100 MB. */
export async function installRuntimes(): Promise<void> {
  if ([DENO, ...NODE_VERSIONS.map(nodeBinary)].every((path) => existsSync(path))) return
  await promisify(execFile)('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: HOME })
}
