// Writes client/src/api.ts, the types of the API, from docs/openapi.json and docs/asyncapi.json. `npm run docs` runs it.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './wrangler.ts'

export const TYPES = 'client/src/api.ts'
const SOURCES = ['docs/openapi.json', 'docs/asyncapi.json', 'tools/client-types.ts', 'tools/openapi-types/package.json']
const METHODS = ['get', 'post', 'patch', 'delete']

interface Operation {
  description?: string
  responses: Record<string, { headers?: unknown; content?: Record<string, { example?: unknown }> }>
}
interface Schema {
  properties?: Record<string, unknown>
}

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

const headOf = (): string => {
  const hash = createHash('sha256')
  for (const file of SOURCES) hash.update(read(file))
  return `// Made from docs/openapi.json and docs/asyncapi.json by \`npm run docs\`. Do not edit. ${hash.digest('hex').slice(0, 16)}\n`
}

/** Whether the types were made from the documents as they are now. */
export const typesAreCurrent = (): boolean => existsSync(join(ROOT, TYPES)) && read(TYPES).startsWith(headOf())

/** The generator lives in a folder of its own, since it needs TypeScript 5. It is installed when it is first needed. */
export function writeTypes(): void {
  if (typesAreCurrent()) return
  const home = join(ROOT, 'tools/openapi-types')
  if (!existsSync(join(home, 'node_modules/openapi-typescript')))
    run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], home)
  const types = run(process.execPath, ['generate.mjs'], home, JSON.stringify(document()))
  writeFileSync(join(ROOT, TYPES), headOf() + types)
  run('oxfmt', [TYPES], ROOT)
}

/** The OpenAPI document with what a caller's types need: no headers, no examples of answers, no failures (all are a Problem), and the events. */
function document(): unknown {
  const api = JSON.parse(read('docs/openapi.json'))
  for (const path of Object.values<Record<string, Operation>>(api.paths)) {
    for (const method of METHODS) {
      const operation = path[method]
      if (!operation) continue
      delete operation.description
      for (const [status, response] of Object.entries(operation.responses)) {
        delete response.headers
        for (const content of Object.values(response.content ?? {})) delete content.example
        if (!status.startsWith('2')) delete operation.responses[status]
      }
    }
  }
  delete api.components.headers
  const { schemas } = api.components
  Object.assign(schemas, eventSchemas())
  tellFormsApart(schemas)
  schemas.Filters = FILTERS
  schemas.BatchOperation = BATCH_OPERATION
  // Its fields have names of the caller's, such as `metadata.priority`.
  schemas.Filters.additionalProperties = true
  return api
}

/** What no value fits, which the generator writes as `never`. */
const NEVER = false

/**
 * A short form names the other fields of its resource as absent, so that a caller reads `item.content?.text` of an answer
 * that may be either.
 */
function tellFormsApart(schemas: Record<string, Schema>): void {
  for (const [name, short] of Object.entries(schemas)) {
    const whole = name.endsWith('Written') ? schemas[name.replace(/Written$/, '')] : undefined
    if (!whole?.properties) continue
    const absent = Object.keys(whole.properties).map((field) => [field, NEVER])
    short.properties = { ...Object.fromEntries(absent), ...short.properties }
  }
}

const FILTERS_REF = { $ref: '#/components/schemas/Filters' }
/** The document says it in words, as it does of a batch: generators of other languages make too little of a union. */
const FILTERS = {
  type: 'object',
  properties: {
    tags: { type: 'array', items: { type: 'string' } },
    tags_match: { enum: ['any', 'all'] },
    AND: { type: 'array', items: FILTERS_REF },
    OR: { type: 'array', items: FILTERS_REF },
    NOT: { anyOf: [FILTERS_REF, { type: 'array', items: FILTERS_REF }] },
  },
  additionalProperties: true,
}

const BATCH_OPERATION = {
  oneOf: [
    { allOf: [operation('store'), { $ref: '#/components/schemas/MemoryItemStore' }] },
    { allOf: [operation('update', 'id'), { $ref: '#/components/schemas/MemoryItemUpdate' }] },
    operation('delete', 'id'),
    operation('retrieve', 'id'),
  ],
}

function operation(op: string, ...ids: string[]): Schema & { type: string; required: string[] } {
  const properties = Object.fromEntries(ids.map((id) => [id, { type: 'string' }]))
  return { type: 'object', properties: { op: { const: op }, ...properties }, required: ['op', ...ids] }
}

/** One schema for the data of each type of event: `EventData` maps a type to it. */
function eventSchemas(): Record<string, unknown> {
  const { components } = JSON.parse(read('docs/asyncapi.json')) as {
    components: {
      messages: Record<string, { name: string; payload: { $ref: string } }>
      schemas: Record<string, Schema>
    }
  }
  const events = Object.values(components.messages).filter(({ name }) => name.includes('.'))
  const ofEach = (member: string) => ({
    type: 'object',
    properties: Object.fromEntries(
      events.map(({ name, payload }) => [
        name,
        components.schemas[payload.$ref.split('/').at(-1) ?? '']?.properties?.[member],
      ]),
    ),
    required: events.map(({ name }) => name),
  })
  return { EventData: ofEach('data'), EventChannel: ofEach('channel') }
}

function run(command: string, args: string[], cwd: string, input = ''): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    input,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? stderr}`)
  return stdout
}

if (import.meta.main) writeTypes()
