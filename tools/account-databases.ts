// Commands on the databases of the account. wrangler takes the id of a database from the configuration that names it, and
// wrangler.toml has placeholders there.
import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Unstable_RawConfig } from 'wrangler'
import { sourceOf } from './blueprint.ts'
import { ROOT } from './wrangler.ts'

/** A database of the account, and the name by which a command finds it. */
export interface AccountDatabase {
  binding: string
  id: string
}

/** The id of the database with this name. Throws if the account has none. */
export function idIn(ids: ReadonlyMap<string, string>, name: string): string {
  const id = ids.get(name)
  if (id === undefined)
    throw new Error(`The account has no database ${name}. \`npx wrangler whoami\` shows which account is used.`)
  return id
}

/** Runs `work` with the arguments by which wrangler finds these databases. */
export async function withAccountDatabases<Result>(
  databases: readonly AccountDatabase[],
  work: (configArguments: string[]) => Promise<Result>,
): Promise<Result> {
  // The ids come from `wrangler d1 list`, which reads the account from wrangler.toml.
  const { account_id, compliance_region } = sourceOf(join(ROOT, 'wrangler.toml'), false)
  const config: Unstable_RawConfig = {
    ...(account_id === undefined ? {} : { account_id }),
    ...(compliance_region === undefined ? {} : { compliance_region }),
    d1_databases: databases.map(({ binding, id }) => ({ binding, database_name: binding, database_id: id })),
  }
  const file = `.wrangler.databases.${randomUUID()}.json`
  writeFileSync(join(ROOT, file), JSON.stringify(config))
  try {
    return await work(['--config', file])
  } finally {
    rmSync(join(ROOT, file))
  }
}
