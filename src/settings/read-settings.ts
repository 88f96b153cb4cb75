import type { Deployment, Reader, Setting } from './setting.ts'
import { SETTINGS } from './table.ts'

type Table = typeof SETTINGS

/** The values of the settings that a reader reads, by name. */
export type Settings<By extends Reader = 'Worker'> = {
  readonly [Name in keyof Table as By extends Table[Name]['readBy'][number] ? Name : never]: Table[Name]['absent']
}

/**
 * Reads the settings of a reader, from the environment or from the variables of a configuration. A faulty one has no
 * effect. A fault is one line, and holds no value.
 */
export function readSettings<By extends Reader>(
  by: By,
  env: object,
  shards: readonly string[] = [],
): { values: Settings<By>; faults: string[] } {
  const deployment = { local: Reflect.get(env, 'ENVIRONMENT') === 'local', shards }
  const faults: string[] = []
  const values = Object.entries<Setting>(SETTINGS)
    .filter(([, { readBy }]) => readBy.includes(by))
    .map(([name, one]) => {
      const { value, fault } = readSetting(name, one, env, deployment)
      if (fault !== undefined) faults.push(fault)
      return [name, value]
    })
  return { values: Object.fromEntries(values) as Settings<By>, faults }
}

function readSetting(
  name: string,
  one: Setting,
  env: object,
  deployment: Deployment,
): { value: unknown; fault?: string } {
  const set = [name, one.oldName ?? name].find((candidate) => isSet(env, candidate))
  if (set === undefined) return { value: one.absent }
  if (one.kind === 'local' && !deployment.local) return { value: one.absent, fault: isLocalOnly(set) }
  const text: unknown = Reflect.get(env, set)
  const parsed =
    typeof text === 'string' ? one.parse(text, deployment) : { fault: 'must be a text: put quotes around it' }
  if ('value' in parsed) return parsed
  return { value: 'ifFaulty' in one ? one.ifFaulty : one.absent, fault: `${set} ${parsed.fault}` }
}

/** An empty text is no value. */
const isSet = (env: object, name: string): boolean => ![undefined, null, ''].includes(Reflect.get(env, name))

/** The names of what is set in an environment and is not a binding. */
export const variablesOf = (env: object): string[] =>
  Object.entries(env).flatMap(([name, value]) =>
    ['string', 'number', 'boolean'].includes(typeof value) && isSet(env, name) ? [name] : [],
  )

const isLocalOnly = (name: string): string => `${name} is for local use only`

/** The fault of a name that only `npm start` may set; none for any other. */
export const localOnly = (name: string): string[] =>
  Object.entries<Setting>(SETTINGS).some(([one, { kind }]) => one === name && kind === 'local')
    ? [isLocalOnly(name)]
    : []
