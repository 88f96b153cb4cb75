import { decodeTime, encodeTime } from 'ulidx'
import type { System } from '../core/context.ts'
import { toBase32, utf8 } from '../core/values/encoding.ts'
import { hmacSha256, importHmacKey } from '../core/values/hash.ts'
import type { RingKey } from '../core/values/key-ring.ts'
import { isId, timeOfId } from '../core/values/ids.ts'

type Keys = Pick<System, 'dataKeys'>

/** `evt_`, ten characters of time, four of randomness, five of lag, seven of checksum (35 bits). */
const LAG_AT = 18
const STEM_LENGTH = 23
const CHECKSUM_BYTES = 5
const CHECKSUM_LENGTH = 7
/** The unit of the lag. Five characters hold more than the 30 days of the history. */
const LAG_UNIT_MS = 100

/**
 * The id of an event without history (typing, first frames) from which a client can resume. A keyed checksum binds it to
 * `subject`, a tenant id or a routing id. Its lag is the time from `receivedUntil` (milliseconds since 1970) to the id:
 * its receiver has all events up to `receivedUntil`.
 */
export async function newEphemeralId(
  system: Keys & Pick<System, 'newId'>,
  subject: string,
  receivedUntil?: number,
): Promise<string> {
  const id = system.newId('evt')
  const madeAt = timeOfId(id)
  const lag = Math.max(0, inUnits(madeAt) - inUnits(receivedUntil ?? madeAt))
  const stem = id.slice(0, LAG_AT) + encodeTime(lag, STEM_LENGTH - LAG_AT)
  return stem + (await checksum(system.dataKeys[0], subject, stem))
}

/**
 * Reads an id that `newEphemeralId` made for one of the subjects, under any key of the ring; null for another id.
 * Answers the instant up to which all was received, rounded down to 100 ms.
 */
export async function readEphemeralId(system: Keys, id: string, subjects: readonly string[]): Promise<number | null> {
  if (!isId('evt', id)) return null
  const stem = id.slice(0, STEM_LENGTH)
  for (const key of system.dataKeys) {
    for (const subject of subjects) {
      if (stem + (await checksum(key, subject, stem)) !== id) continue
      const lag = decodeTime(stem.slice(LAG_AT).padStart(10, '0').padEnd(26, '0'))
      return (inUnits(timeOfId(id)) - lag) * LAG_UNIT_MS
    }
  }
  return null
}

const inUnits = (ms: number): number => Math.floor(ms / LAG_UNIT_MS)

async function checksum(key: RingKey, subject: string, stem: string): Promise<string> {
  const derived = await hmacSha256(await importHmacKey(key.bytes), utf8('ephemeral event ids'))
  const sum = await hmacSha256(await importHmacKey(derived), utf8(`${subject}\n${stem}`))
  return toBase32(sum.subarray(0, CHECKSUM_BYTES)).slice(0, CHECKSUM_LENGTH).toUpperCase()
}
