// Variables and secrets with which a deployment is refused.
import { isLocalOnly, LOCAL_ONLY } from '../src/core/local-only-variables.ts'
import { closedShardsOf, shardsOf, unknownShard } from '../src/core/shards.ts'
import { variableLimits } from '../src/limits/limit-settings.ts'
import {
  dataRegion,
  isRegistration,
  isSignups,
  unknownRegion,
  unknownRegistration,
  unknownSignups,
} from '../src/core/variables.ts'

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

/** Throws if `CLIENT_REGISTRATION` is neither open nor closed: the deployment would take no agents, and not be ready. */
export function refuseUnknownRegistration(word: unknown): void {
  if (word === undefined || word === '') return
  const text = typeof word === 'string' ? word : JSON.stringify(word)
  if (!isRegistration(text)) throw new Error(`${unknownRegistration(text)}.`)
}

/** Throws if `LIMITS` or `SERVICE_ACCOUNT_LIMITS` names no limit, or no number that it takes: the deployment would not be ready. */
export function refuseFaultyLimits(vars: Readonly<Record<string, unknown>>): void {
  const { faults } = variableLimits((name) => {
    const value = vars[name]
    return value === undefined || typeof value === 'string' ? value : JSON.stringify(value)
  })
  if (faults.length > 0) throw new Error(`${faults.join('; ')}.`)
}

/** Throws if `CLOSED_SHARDS` names a shard that is not among these: the deployment would not be ready. */
export function refuseUnknownShards(names: unknown, shards: readonly string[]): void {
  if (names === undefined || names === '') return
  const closed = closedShardsOf(typeof names === 'string' ? names : JSON.stringify(names))
  const unknown = closed.filter((name) => !shards.includes(name))
  if (unknown.length > 0) throw new Error(`${unknown.map(unknownShard).join('; ')}.`)
}

/** Throws if a database of the configuration has a name that is no shard's: the deployment would refuse every request. */
export function refuseMisbound(bindings: readonly string[]): void {
  const found = shardsOf(bindings)
  if ('fault' in found) throw new Error(`${found.fault}.`)
}

/** Throws if `SIGNUPS` is none of its words: the deployment would take nobody. */
export function refuseUnknownSignups(word: unknown): void {
  if (word === undefined || word === '') return
  const text = typeof word === 'string' ? word : JSON.stringify(word)
  if (!isSignups(text)) throw new Error(`${unknownSignups(text)}.`)
}
