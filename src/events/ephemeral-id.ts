import type { System } from '../core/context.ts'
import { toBase32, utf8 } from '../core/encoding.ts'
import { hmacSha256, importHmacKey, type RingKey } from '../core/hash.ts'
import { isId } from '../core/ids.ts'

type Keys = Pick<System, 'dataKeys'>

/** `evt_`, ten characters of time, four of randomness; the other twelve are a checksum (60 bits). */
const STEM_LENGTH = 18
const CHECKSUM_BYTES = 8
const CHECKSUM_LENGTH = 12

/**
 * The id of an event that leaves no history (typing, first frames), yet resumes: it proves by a keyed checksum that it
 * was made for `subject`, a tenant id or a routing id, and its ULID tells when.
 */
export async function newEphemeralId(system: Keys & Pick<System, 'newId'>, subject: string): Promise<string> {
  const stem = system.newId('evt').slice(0, STEM_LENGTH)
  return stem + (await checksum(system.dataKeys[0], subject, stem))
}

/** Whether an id was made by `newEphemeralId` for one of the subjects, under any key of the ring. */
export async function isEphemeralIdOf(system: Keys, id: string, subjects: readonly string[]): Promise<boolean> {
  if (!isId('evt', id)) return false
  const stem = id.slice(0, STEM_LENGTH)
  for (const key of system.dataKeys) {
    for (const subject of subjects) if (stem + (await checksum(key, subject, stem)) === id) return true
  }
  return false
}

async function checksum(key: RingKey, subject: string, stem: string): Promise<string> {
  const derived = await hmacSha256(await importHmacKey(key.bytes), utf8('ephemeral event ids'))
  const sum = await hmacSha256(await importHmacKey(derived), utf8(`${subject}\n${stem}`))
  return toBase32(sum.subarray(0, CHECKSUM_BYTES)).slice(0, CHECKSUM_LENGTH).toUpperCase()
}
