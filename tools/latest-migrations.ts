// The last migration of each kind, with which the service compares its databases.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const FILE = 'src/core/database/latest-migrations.ts'
const FOLDERS = { DB: 'migrations/main', AUDIT_DB: 'migrations/audit' }

function sourceOf(root: string): string {
  const lines = Object.entries(FOLDERS).map(([kind, folder]) => {
    const names = globSync(`${folder}/*.sql`, { cwd: root }).map((path) => basename(path))
    return `  ${kind}: '${names.sort().at(-1) ?? ''}',\n`
  })
  return `/** The last migration that each kind of database needs. \`npm run docs\` writes this file. */\nexport const LATEST_MIGRATIONS = {\n${lines.join('')}} as const\n`
}

export const writeLatestMigrations = (root: string): void => writeFileSync(join(root, FILE), sourceOf(root))

/** The fault where the file names other migrations; a folder without the file has none. */
export function staleMigrations(root: string): string[] {
  if (globSync(FILE, { cwd: root }).length === 0) return []
  const current = readFileSync(join(root, FILE), 'utf8') === sourceOf(root)
  return current ? [] : [`${FILE} names an older migration. Run: npm run docs`]
}
