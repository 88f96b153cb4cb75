import { isRegion, type DataRegion, type Region } from '../src/core/regions.ts'
import { readSettings } from '../src/settings/index.ts'
import { newKeyRing, SECRET_NAMES } from './secrets.ts'
import { runWrangler, type Wrangler } from './wrangler.ts'

/** The resources of production, from the top level of wrangler.toml. */
export interface Blueprint {
  worker: string
  vars: Record<string, unknown>
  /** The host names of the service in the configuration: `PUBLIC_HOSTS`, custom domains. */
  hosts: string[]
  /** The custom domains. */
  domains: string[]
  /** `region`: where it is to be made; without one, where `DATA_REGION` says. */
  databases: { binding: string; name: string; region?: Region | undefined }[]
  queues: string[]
  index: { name: string; dimensions: number }
}

/** The properties that a search filters by. They must be indexed before the first vector is inserted. */
export const METADATA_INDEXES = {
  project_id: 'string',
  namespace: 'string',
  model: 'string',
  place: 'string',
  reader: 'string',
} as const

/** How two vectors are compared; src/core/vectors.ts makes them of length one. */
const METRIC = 'cosine'

/** The resources that exist in the account. */
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

export const NOT_LOGGED_IN = 'You are not logged in: run `npx wrangler login` first.'
/** What wrangler says of a command without a login, where no person is at its terminal. */
const NO_LOGIN = /necessary to set a CLOUDFLARE_API_TOKEN/
/** Cloudflare's code of a call that the API token may not make. */
const NOT_PERMITTED = /code: (10000|10001|7403)\b|Authentication error/

/** The list of a command. The token of Workers Builds may lack a permission: the error names it. */
async function read(product: string, args: string[], by: Wrangler): Promise<string> {
  try {
    return await runWrangler(args, by)
  } catch (error) {
    if (error instanceof Error && NO_LOGIN.test(error.message)) throw new Error(NOT_LOGGED_IN, { cause: error })
    if (!(error instanceof Error && NOT_PERMITTED.test(error.message))) throw error
    throw new Error(
      `The API token cannot read ${product}: give it permission to edit ${product}, and run this command again (docs/operations.md, "From CI").`,
      { cause: error },
    )
  }
}

/** The ids of the account's databases, by name. */
export async function databasesOf(by: Wrangler): Promise<Map<string, string>> {
  const listed = JSON.parse(await read('D1', ['d1', 'list', '--json'], by)) as { name: string; uuid: string }[]
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
  const listed = JSON.parse(await read('Vectorize', ['vectorize', 'list', '--json'], by)) as { name: string }[]
  const indexes = new Set(listed.map((index) => index.name))
  const properties = indexes.has(name)
    ? await runWrangler(['vectorize', 'list-metadata-index', name, '--json'], by)
    : '[]'
  const listedProperties = JSON.parse(properties) as { propertyName: string }[]
  return { indexes, metadataIndexes: new Set(listedProperties.map(({ propertyName }) => propertyName)) }
}

/**
 * An index keeps its dimension and its metric for life: where the one of this name has others, one with the dimension in its name
 * is used. It stays in use after the first is deleted, since a new index would be empty.
 */
export async function indexFor(wanted: Blueprint['index'], by: Wrangler): Promise<Blueprint['index']> {
  const listed = JSON.parse(await read('Vectorize', ['vectorize', 'list', '--json'], by)) as {
    name: string
    config: { dimensions: number; metric: string }
  }[]
  const there = new Map(listed.map(({ name, config }) => [name, config]))
  const names = [wanted.name, `${wanted.name}-${wanted.dimensions}`]
  const fits = (name: string): boolean => {
    const config = there.get(name)
    return config?.dimensions === wanted.dimensions && config.metric === METRIC
  }
  const name = names.find(fits) ?? names.find((one) => !there.has(one))
  if (name === undefined)
    throw new Error(
      `${wanted.name} and ${wanted.name}-${wanted.dimensions} are indexes with a different dimension or metric. Delete one of them.`,
    )
  return { ...wanted, name }
}

/** wrangler lists queues as a table, page by page; the second column is the name. */
async function listQueues(by: Wrangler): Promise<Set<string>> {
  const names = new Set<string>()
  for (let page = 1; ; page += 1) {
    const before = names.size
    const table = await read('Queues', ['queues', 'list', '--page', String(page)], by)
    for (const [, name = ''] of table.matchAll(/^│\s*[0-9a-f]{32}\s*│\s*(\S+)\s*│/gm)) names.add(name)
    if (names.size === before) return names
  }
}

/** The steps that create what is missing, in their order. Existing resources are not touched. */
export function plan(blueprint: Blueprint, account: Account): Step[] {
  const { index } = blueprint
  const anywhere = readSettings('Worker', blueprint.vars).values.DATA_REGION
  const secrets = SECRET_NAMES.filter((name) => !account.secrets.has(name))
  return [
    ...blueprint.databases
      .filter(({ name }) => !account.databases.has(name))
      .map(({ name, region }) => createDatabase(name, region ?? anywhere)),
    ...blueprint.queues
      .filter((name) => !account.queues.has(name))
      .map((name) => ({ title: `create the queue ${name}`, args: ['queues', 'create', name] })),
    ...(account.indexes.has(index.name)
      ? []
      : [
          {
            title: `create the vector index ${index.name} (${index.dimensions} dimensions)`,
            args: ['vectorize', 'create', index.name, `--dimensions=${index.dimensions}`, `--metric=${METRIC}`],
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
function createDatabase(name: string, region: DataRegion | null): Step {
  const title = `create the database ${name}`
  if (!region) return { title, args: ['d1', 'create', name] }
  if (!isRegion(region)) {
    return { title: `${title} near here (D1 has no region ${region})`, args: ['d1', 'create', name] }
  }
  return { title: `${title} in ${region}`, args: ['d1', 'create', name, `--location=${region}`] }
}
