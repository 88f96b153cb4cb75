import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { runWrangler } from '../../../tools/wrangler.ts'

const SHARED = 'RECOLLECT_BUNDLE'

/** The servers of all projects run one bundle. */
export async function bundleOnce(): Promise<() => Promise<void>> {
  if (process.env[SHARED] !== undefined) return () => Promise.resolve()
  const folder = await mkdtemp(join(tmpdir(), 'recollect-bundle-'))
  await bundleInto(folder)
  process.env[SHARED] = folder
  return () => rm(folder, { recursive: true, force: true })
}

/** What the files of a bundle are to the runtime, by their ending. wrangler has the same rules. */
const MODULE_TYPES = { '.js': 'ESModule', '.wasm': 'CompiledWasm', '.bin': 'Data', '.txt': 'Text' } as const

interface BundledModule {
  name: string
  type: (typeof MODULE_TYPES)[keyof typeof MODULE_TYPES]
}

/**
 * The folder with the Worker as wrangler deploys it: the one of this run of the tests, else a new one in `scratch`. With a
 * `script` always a new one, of that script.
 */
export async function bundleFor(
  scratch: string,
  script?: string,
): Promise<{ folder: string; modules: BundledModule[] }> {
  const shared = script === undefined ? process.env[SHARED] : undefined
  const folder = shared ?? join(scratch, 'bundle')
  if (shared === undefined) await bundleInto(folder, script)
  return { folder, modules: await modulesIn(folder, `${basename(script ?? 'index.ts', '.ts')}.js`) }
}

/** The modules of a Worker that wrangler has bundled into a folder. The entry comes first. */
async function modulesIn(folder: string, entry: string): Promise<BundledModule[]> {
  const modules = (await readdir(folder)).flatMap((name) => {
    const type = Object.entries(MODULE_TYPES).find(([ending]) => name.endsWith(ending))?.[1]
    return type ? [{ name, type }] : []
  })
  return modules.sort((a, b) => Number(b.name === entry) - Number(a.name === entry))
}

const bundleInto = (folder: string, ...script: (string | undefined)[]) =>
  runWrangler([
    'deploy',
    ...script.filter((path) => path !== undefined),
    '--dry-run',
    '--env',
    'local',
    '--outdir',
    folder,
  ])
