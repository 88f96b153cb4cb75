// Variables and secrets with which a deployment is refused.
import { shardsOf } from '../src/core/shards.ts'
import { localOnly, readSettings } from '../src/settings/index.ts'

/**
 * Throws if a variable of the deployment is faulty: it would have no effect, and the deployment would not be ready. No
 * message has a value.
 */
export function refuseFaulty(vars: Readonly<Record<string, unknown>>, shards: readonly string[]): void {
  const { values, faults } = readSettings('Worker', { ...vars, ENVIRONMENT: 'production' }, shards)
  const { ENVIRONMENT: named = values.ENVIRONMENT } = vars
  const all = named === values.ENVIRONMENT ? faults : ['ENVIRONMENT must be production in a deployment', ...faults]
  if (all.length > 0) throw new Error(`${all.join('; ')}.`)
}

/** Throws if a secret of the deployment has the name of a variable that is for local use only. */
export function refuseLocalOnly(names: Iterable<string>): void {
  const faults = [...names].flatMap(localOnly)
  if (faults.length > 0) throw new Error(`${faults.join('; ')}. Remove it from the secrets of the deployment.`)
}

/** Throws if a database of the configuration has a name that is no shard's: the deployment would refuse every request. */
export function refuseMisbound(bindings: readonly string[]): void {
  const found = shardsOf(bindings)
  if ('fault' in found) throw new Error(`${found.fault}.`)
}
