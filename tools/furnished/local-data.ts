// `npm start -- --furnished`: a folder of data whose demo account has three months of content.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { bindingOf, firstShards, MAX_SHARDS } from '../../src/core/shards.ts'
import type { LocalDatabase } from '../local-databases.ts'
import type { FurnishedAccount } from './account.ts'
import { tenantOf, writeHistory } from './history.ts'

/** The folder of the data, from the root of the repository. */
export const FURNISHED_STATE = '.wrangler/furnished'

const FLAG = '--furnished'
/** A file beside the data, once the account is furnished. It has the port of the receiver of its webhook. */
const PORT = 'furnished.txt'

/** Arguments without `--furnished`, and whether it was there. */
export const readFurnished = (args: readonly string[]): { furnished: boolean; rest: string[] } => ({
  furnished: args.includes(FLAG),
  rest: args.filter((arg) => arg !== FLAG),
})

/** Arguments of `wrangler dev`, before those of the command line, which win. `state`: the folder if these name none. */
export const furnishedArguments = (state: string | undefined): string[] => [
  '--var',
  'LIMITS_FACTOR:100',
  ...(state === undefined ? [] : ['--persist-to', state]),
]

/** Whether the data is furnished. Throws where it has other data, or where the first start was broken off. */
export function isFurnished(state: string): boolean {
  if (existsSync(join(state, PORT))) return true
  if (!existsSync(join(state, 'v3'))) return false
  throw new Error(
    `${state} has data that no start with ${FLAG} has completed. Delete it, or choose another folder: npm start -- ${FLAG} --persist-to FOLDER`,
  )
}

export const markFurnished = (state: string, port: number): void => writeFileSync(join(state, PORT), `${port}\n`)

/** A webhook receiver that accepts everything, at the port that the data remembers. It ends with this process. */
export async function startReceiver(state: string): Promise<{ url: string; port: number }> {
  const file = join(state, PORT)
  const known = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => {
    server.on('error', (error) => {
      console.error(`Nothing receives the webhooks of the furnished account: ${error.message}`)
      resolve()
    })
    server.listen(known, '127.0.0.1', resolve)
  })
  const port = server.listening ? (server.address() as AddressInfo).port : known
  server.unref()
  return { url: `http://127.0.0.1:${port}/hook`, port }
}

/** Writes the history of the account into the databases of its shard. */
export async function writeHistoryOf(
  account: FurnishedAccount,
  databases: readonly Pick<LocalDatabase, 'binding' | 'database'>[],
): Promise<void> {
  const byBinding = new Map(databases.map(({ binding, database }) => [binding, database]))
  for (const shard of firstShards(MAX_SHARDS)) {
    const main = byBinding.get(bindingOf('DB', shard))
    const audit = byBinding.get(bindingOf('AUDIT_DB', shard))
    if (main && audit && (await tenantOf(main, account.userId)) !== null) return writeHistory({ main, audit }, account)
  }
  throw new Error('No database has the furnished account.')
}
