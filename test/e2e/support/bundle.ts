import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runWrangler } from '../../../tools/wrangler.ts'

const SHARED = 'RECOLLECT_BUNDLE'

/** Called by Vitest once before all tests of the project: their servers run one bundle. */
export default async function bundleOnce(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-bundle-'))
  await bundleInto(folder)
  process.env[SHARED] = folder
  return () => rm(folder, { recursive: true, force: true })
}

/** The folder with the Worker as wrangler deploys it: the one of this run of the tests, else a new one in `scratch`. */
export async function bundleFor(scratch: string): Promise<{ folder: string; modules: string[] }> {
  const folder = process.env[SHARED] ?? join(scratch, 'bundle')
  if (process.env[SHARED] === undefined) await bundleInto(folder)
  const others = (await readdir(folder)).filter((name) => name.endsWith('.wasm'))
  // The entry comes first.
  return { folder, modules: ['index.js', ...others] }
}

const bundleInto = (folder: string) => runWrangler(['deploy', '--dry-run', '--env', 'local', '--outdir', folder])
