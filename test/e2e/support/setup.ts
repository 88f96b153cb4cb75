import { bundleOnce } from './bundle.ts'
import { migrateOnce } from './migrated.ts'

/** Called by Vitest before all tests of a project: what its servers share is made once in a run. */
export default async function setUp(): Promise<() => Promise<void>> {
  const ends = await Promise.all([bundleOnce(), migrateOnce()])
  return async () => void (await Promise.all(ends.map((end) => end())))
}
