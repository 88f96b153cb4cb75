import { isRegion, REGIONS, type Region, type ShardRegions } from '../core/regions.ts'
import { isPermits, isSettable, maxPermits, SETTABLE, type LimitValues } from '../core/settable-limits.ts'
import { keyRingOf, MIN_KEY_BYTES, type WrittenKeyRing } from '../core/values/key-ring.ts'
import { nearName } from '../core/values/near-name.ts'
import type { Parser } from './setting.ts'

const wordsOf = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean)

export const oneOf =
  <const Word extends string>(words: readonly Word[]): Parser<Word> =>
  (text) => {
    const value = words.find((word) => word === text)
    return value === undefined ? { fault: `must be one of ${words.join(', ')}` } : { value }
  }

export const flag: Parser<boolean> = (text) =>
  text === 'true' || text === 'false' ? { value: text === 'true' } : { fault: 'must be true or false' }

export const wholeNumber =
  (least: number, most: number): Parser<number> =>
  (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN
    return value >= least && value <= most ? { value } : { fault: `must be a whole number from ${least} to ${most}` }
  }

const MAX_MODEL_CHARACTERS = 256

export const modelName: Parser<string> = (text) =>
  text.length <= MAX_MODEL_CHARACTERS && !/\p{Cc}/u.test(text)
    ? { value: text }
    : { fault: `must be one line of at most ${MAX_MODEL_CHARACTERS} characters` }

/** A secret that goes out in a header. A line end behind it would make every request fail. */
export const bearerKey: Parser<string> = (text) =>
  /^[\x21-\x7e]+$/.test(text)
    ? { value: text }
    : { fault: 'must be visible ASCII characters, without spaces and line ends' }

export const httpUrl: Parser<string> = (text) =>
  /^https?:$/.test(URL.parse(text)?.protocol ?? '') ? { value: text } : { fault: 'must be an http or https address' }

/** A canonical origin: scheme and host, with nothing behind them. It is an https origin, or an http one under `local`. */
export const origin: Parser<string> = (text, { local }) => {
  const url = URL.parse(text)
  const scheme = url?.protocol === 'https:' || (local && url?.protocol === 'http:')
  return url && scheme && (text === url.origin || text === `${url.origin}/`)
    ? { value: url.origin }
    : { fault: 'must be an origin such as https://memory.example.com' }
}

const HOST_NAME = /^[a-z\d-]+(\.[a-z\d-]+)*$/

/** Host names in lower case. */
export const hostNames: Parser<string[]> = (text) => {
  const hosts = wordsOf(text.toLowerCase())
  const wrong = hosts.findIndex((host) => !HOST_NAME.test(host))
  return wrong === -1
    ? { value: hosts }
    : { fault: `must be host names such as memory.example.com, and entry ${wrong + 1} is not one` }
}

export const KEY_RING_FORM = `must be id:base64[,id:base64…] with keys of at least ${MIN_KEY_BYTES} bytes`

export const keyRing: Parser<WrittenKeyRing> = (text) => {
  const value = keyRingOf(text)
  return value ? { value } : { fault: KEY_RING_FORM }
}

/** A shorter one could be guessed. */
const MIN_METRICS_TOKEN = 32

/** What opens `/metrics`: characters that a Bearer credential may have (RFC 6750 §2.1). */
export const metricsToken: Parser<string> = (text) =>
  text.length >= MIN_METRICS_TOKEN && /^[\w.~+/-]+=*$/.test(text)
    ? { value: text }
    : { fault: `must have at least ${MIN_METRICS_TOKEN} characters of A-Z, a-z, 0-9 and -._~+/` }

/** Shards of this deployment, such as `00,02`. */
export const shardNames: Parser<string[]> = (text, { shards }) => {
  const names = wordsOf(text)
  const wrong = names.findIndex((name) => !shards.includes(name))
  return wrong === -1
    ? { value: names }
    : { fault: `must name shards of this deployment, and entry ${wrong + 1} is not one of ${shards.join(', ')}` }
}

/** The region of shards, such as `00:weur,01:enam`. */
export const shardRegions: Parser<ShardRegions> = (text, { shards }) => {
  const value = new Map<string, Region>()
  for (const [at, entry] of wordsOf(text).entries()) {
    const [, shard = '', region] = /^(\d\d):([a-z]+)$/.exec(entry) ?? []
    const fault = (what: string) => ({ fault: `must be entries such as 00:weur, and entry ${at + 1} ${what}` })
    if (region === undefined) return fault('is not one')
    if (!isRegion(region)) return fault(`does not have one of the regions ${REGIONS.join(', ')}`)
    if (!shards.includes(shard)) return fault('does not name a shard of this deployment')
    if (value.has(shard)) return fault(`names shard ${shard} again`)
    value.set(shard, region)
  }
  return { value }
}

/** Limits by name, such as `memory.search=50, api-key=100`. */
export const permits: Parser<LimitValues> = (text) => {
  const value: LimitValues = {}
  for (const [at, entry] of wordsOf(text).entries()) {
    const [name = '', number = '', ...rest] = entry.split('=')
    if (!isSettable(name)) return { fault: `must name limits, and entry ${at + 1} is not one${meantBy(name)}` }
    if (!/^\d{1,9}$/.test(number) || !isPermits(name, Number(number)) || rest.length > 0)
      return { fault: `must set ${name} to a whole number from 1 to ${maxPermits(name)}` }
    if (value[name] !== undefined) return { fault: `must set ${name} once` }
    value[name] = Number(number)
  }
  return { value }
}

function meantBy(name: string): string {
  const meant = nearName(name, SETTABLE)
  return meant === null ? ` of ${SETTABLE.join(', ')}` : `: did you mean ${meant}?`
}
