// `npm run docs`: starts a server and writes its OpenAPI document to docs/, the types of both clients, the tests of each attack
// to docs/security.md, the settings to docs/operations.md and package.json, the names of the last migrations, and the phrases
// of dates. `--check` writes nothing and fails if one of them is out of date.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startServer } from '../test/e2e/support/server.ts'
import { TYPES, typesAreCurrent, writeTypes } from './client-types.ts'
import { phrasesAreCurrent, PHRASES, writePhrases } from './dates/phrases.ts'
import { writeLatestMigrations } from './latest-migrations.ts'
import { stalePythonModules, writePythonModules } from './python/write.ts'
import { SECURITY, withTests } from './security-tests.ts'
import { staleSettings, writeSettings } from './settings-table.ts'
import { ROOT } from './wrangler.ts'

const DOCUMENTS = { 'docs/openapi.json': '/api-reference/openapi.json' }
/** The port of the server varies; the document names the address of `npm start`. */
const ORIGIN = 'http://localhost:8787'

const check = process.argv.includes('--check')
if (!check) {
  const path = join(ROOT, SECURITY)
  writeFileSync(path, withTests(ROOT, readFileSync(path, 'utf8')))
  writeLatestMigrations(ROOT)
  writeSettings(ROOT)
  writePhrases(ROOT)
}
for (const file of staleSettings(ROOT)) outdated(file)
if (!phrasesAreCurrent(ROOT)) outdated(PHRASES)
const server = await startServer()
try {
  for (const [file, path] of Object.entries(DOCUMENTS)) {
    const answer = await fetch(server.url + path)
    if (!answer.ok) throw new Error(`${path} responds with ${answer.status}`)
    const now = `${JSON.stringify(await answer.json(), null, 2).replaceAll(server.url, ORIGIN)}\n`
    if (!check) writeFileSync(join(ROOT, file), now)
    else if (readFileSync(join(ROOT, file), 'utf8') !== now) outdated(file)
  }
} finally {
  await server.stop()
}
if (!check) {
  writeTypes()
  writePythonModules()
} else {
  if (!typesAreCurrent()) outdated(TYPES)
  for (const file of stalePythonModules()) outdated(file)
}

function outdated(file: string): void {
  console.error(`${file} is out of date. Run: npm run docs`)
  process.exitCode = 1
}
