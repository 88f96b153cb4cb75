import { dataRegion, isLocalOnly, LOCAL_ONLY, unknownRegion, type DataRegion } from '../src/core/variables.ts'
import { newKeyRing, SECRET_NAMES } from './secrets.ts'
import { runWrangler, type Wrangler } from './wrangler.ts'

/** What production needs, from the top level of wrangler.toml. */
export interface Blueprint {
  worker: string
  vars: Record<string, unknown>
  /** The host names of the service in the configuration: `PUBLIC_HOSTS`, custom domains. */
  hosts: string[]
  databases: { binding: string; name: string }[]
  queues: string[]
  index: { name: string; dimensions: number }
}

/** The properties that a search filters by. They must be indexed before the first vector is inserted. */
export const METADATA_INDEXES = { project_id: 'string', namespace: 'string', model: 'string' } as const

/** The regions that D1 accepts for a new database; Durable Objects know more. */
const DATABASE_REGIONS = ['wnam', 'enam', 'weur', 'eeur', 'apac', 'oc']

/** What exists in the account. */
export interface Account {
  databases: Map<string, string>
  queues: Set<string>
  indexes: Set<string>
  metadataIndexes: Set<string>
  secrets: Set<string>
}

/** One step of the plan: its title, and the arguments of wrangler. */
export interface Step {
  title: string
  args: string[]
  stdin?: string
}

/** Throws if a variable or a secret of the deployment is for local use only. */
export function refuseLocalOnly(names: Iterable<string>): void {
  const misplaced = [...names].filter((name) => LOCAL_ONLY.includes(name))
  if (misplaced.length > 0) {
    throw new Error(`${misplaced.map(isLocalOnly).join('; ')}. Remove it from the deployment's variables and secrets.`)
  }
}

/** Throws if `DATA_REGION` names no region: a database cannot move after its creation. */
export function refuseUnknownRegion(name: unknown): void {
  if (name !== undefined && name !== '' && !dataRegion(name)) throw new Error(`${unknownRegion(name)}.`)
}

/** The ids of the account's databases, by name. */
export async function databasesOf(by: Wrangler): Promise<Map<string, string>> {
  const listed = JSON.parse(await runWrangler(['d1', 'list', '--json'], by)) as { name: string; uuid: string }[]
  return new Map(listed.map(({ name, uuid }) => [name, uuid]))
}

export async function inspect(blueprint: Blueprint, by: Wrangler): Promise<Account> {
  const [databases, queues, indexes, secrets] = await Promise.all([
    databasesOf(by),
    listQueues(by),
    listIndexes(by, blueprint.index.name),
    // This fails before the first deployment: the Worker has no secrets then.
    by(['secret', 'list', '--name', blueprint.worker, '--format', 'json']),
  ])
  return {
    databases,
    queues,
    ...indexes,
    secrets: new Set(secrets.code === 0 ? (JSON.parse(secrets.stdout) as { name: string }[]).map((s) => s.name) : []),
  }
}

async function listIndexes(by: Wrangler, name: string): Promise<Pick<Account, 'indexes' | 'metadataIndexes'>> {
  const listed = JSON.parse(await runWrangler(['vectorize', 'list', '--json'], by)) as { name: string }[]
  const indexes = new Set(listed.map((index) => index.name))
  const properties = indexes.has(name)
    ? await runWrangler(['vectorize', 'list-metadata-index', name, '--json'], by)
    : '[]'
  const listedProperties = JSON.parse(properties) as { propertyName: string }[]
  return { indexes, metadataIndexes: new Set(listedProperties.map(({ propertyName }) => propertyName)) }
}

/** wrangler lists queues as a table, page by page; the second column is the name. */
async function listQueues(by: Wrangler): Promise<Set<string>> {
  const names = new Set<string>()
  for (let page = 1; ; page += 1) {
    const before = names.size
    const table = await runWrangler(['queues', 'list', '--page', String(page)], by)
    for (const [, name = ''] of table.matchAll(/^│\s*[0-9a-f]{32}\s*│\s*(\S+)\s*│/gm)) names.add(name)
    if (names.size === before) return names
  }
}

/** The steps that create what is missing, in their order. Existing resources are not touched. */
export function plan(blueprint: Blueprint, account: Account): Step[] {
  const { index } = blueprint
  const region = dataRegion(blueprint.vars['DATA_REGION'])
  const secrets = SECRET_NAMES.filter((name) => !account.secrets.has(name))
  return [
    ...blueprint.databases
      .filter(({ name }) => !account.databases.has(name))
      .map(({ name }) => createDatabase(name, region)),
    ...blueprint.queues
      .filter((name) => !account.queues.has(name))
      .map((name) => ({ title: `create the queue ${name}`, args: ['queues', 'create', name] })),
    ...(account.indexes.has(index.name)
      ? []
      : [
          {
            title: `create the vector index ${index.name} (${index.dimensions} dimensions)`,
            args: ['vectorize', 'create', index.name, `--dimensions=${index.dimensions}`, '--metric=cosine'],
          },
        ]),
    ...Object.entries(METADATA_INDEXES)
      .filter(([property]) => !account.metadataIndexes.has(property))
      .map(([property, type]) => ({
        title: `index the vectors' ${property}`,
        args: ['vectorize', 'create-metadata-index', index.name, `--propertyName=${property}`, `--type=${type}`],
      })),
    ...(secrets.length === 0
      ? []
      : [
          {
            title: `generate and set the secrets ${secrets.join(', ')}`,
            args: ['secret', 'bulk', '--name', blueprint.worker],
            stdin: JSON.stringify(Object.fromEntries(secrets.map((name) => [name, newKeyRing()]))),
          },
        ]),
  ]
}

/** D1 creates a database of a region that it does not know near the deployer; the title says so. */
function createDatabase(name: string, region: DataRegion | undefined): Step {
  const title = `create the database ${name}`
  if (!region) return { title, args: ['d1', 'create', name] }
  if (!DATABASE_REGIONS.includes(region)) {
    return { title: `${title} near here (D1 knows no region ${region})`, args: ['d1', 'create', name] }
  }
  return { title: `${title} in ${region}`, args: ['d1', 'create', name, `--location=${region}`] }
}
