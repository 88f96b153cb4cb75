import { argon2id, setWASMModules } from 'argon2-wasm-edge'
import argon2WASM from 'argon2-wasm-edge/wasm/argon2.wasm'
import blake2bWASM from 'argon2-wasm-edge/wasm/blake2b.wasm'
import { fromBase64Url, toBase64Url, utf8 } from '../../core/values/encoding.ts'
import { unavailable } from '../../core/errors.ts'
import { text } from '../../core/http/fields.ts'
import { hmacSha256, importHmacKey, timingSafeEqual } from '../../core/values/hash.ts'
import { inNormalForm } from '../../core/values/normal-form.ts'
import type { KeyRing } from '../../core/values/key-ring.ts'
import type { Random } from '../../core/values/ids.ts'
import { oneAtATime } from './one-at-a-time.ts'

await setWASMModules({ argon2WASM, blake2bWASM })

/** The length of a password that a user chooses (contract §2). */
const MIN_PASSWORD_CHARACTERS = 12
const MAX_PASSWORD_CHARACTERS = 256
export const NewPassword = text(MIN_PASSWORD_CHARACTERS, MAX_PASSWORD_CHARACTERS)
/** A longer one is nobody's. */
const normal = inNormalForm(MAX_PASSWORD_CHARACTERS, 'NFKC')

/** Argon2id as OWASP's password storage cheat sheet has it: 19 MiB, two passes, one lane. */
const CURRENT = { memorySize: 19_456, iterations: 2, parallelism: 1 }
const SALT_BYTES = 16
const HASH_BYTES = 32

/** A hash takes about 19 MiB and 50 ms of CPU: an isolate computes one at a time, and few wait for their turn. */
const MAX_WAITING = 40
const inTurn = oneAtATime(MAX_WAITING, () => unavailable('Password checking', undefined, 2))

interface Peppers {
  peppers: KeyRing
}

type Parameters = typeof CURRENT

/** `$argon2id$v=19$m=…,t=…,p=…,keyid=<pepper>$salt$hash` (PHC string format). */
export async function hashPassword(system: Peppers & { random: Random }, password: string): Promise<string> {
  const [pepper] = system.peppers
  const salt = system.random(SALT_BYTES)
  const hash = await derive(pepper.bytes, password, salt, CURRENT)
  return encode(CURRENT, pepper.id, salt, hash)
}

export interface PasswordCheck {
  matches: boolean
  /** The hash has other parameters or another pepper than a new one would have: this login replaces it. */
  outdated: boolean
}

/**
 * Compares a password with a stored hash. An unknown user and one without a password have no hash: the answer is no and
 * takes as long, so that the time tells nothing (contract §2).
 */
export async function verifyPassword(system: Peppers, password: string, stored: string | null): Promise<PasswordCheck> {
  const [newest] = system.peppers
  const decoded = stored === null ? null : decode(stored)
  const pepper = decoded && system.peppers.find((one) => one.id === decoded.keyId)
  if (!decoded || !pepper) {
    await derive(newest.bytes, password, DECOY_SALT, CURRENT)
    return { matches: false, outdated: false }
  }
  const hash = await derive(pepper.bytes, password, decoded.salt, decoded.parameters)
  return {
    matches: timingSafeEqual(hash, decoded.hash),
    outdated: pepper !== newest || parametersOf(decoded.parameters) !== parametersOf(CURRENT),
  }
}

const DECOY_SALT = new Uint8Array(SALT_BYTES)

async function derive(
  pepper: Uint8Array<ArrayBuffer>,
  password: string,
  salt: Uint8Array<ArrayBuffer>,
  parameters: Parameters,
): Promise<Uint8Array<ArrayBuffer>> {
  const peppered = await hmacSha256(await importHmacKey(pepper), utf8(normal(password)))
  const options = { ...parameters, salt, hashLength: HASH_BYTES, outputType: 'binary' as const }
  return inTurn(async () => new Uint8Array(await argon2id({ ...options, password: toBase64Url(peppered) })))
}

const parametersOf = (p: Parameters): string => `m=${p.memorySize},t=${p.iterations},p=${p.parallelism}`

/** PHC strings carry standard base64 without padding. */
const toPhcBase64 = (bytes: Uint8Array): string => toBase64Url(bytes).replaceAll('-', '+').replaceAll('_', '/')

const encode = (parameters: Parameters, keyId: string, salt: Uint8Array, hash: Uint8Array): string =>
  `$argon2id$v=19$${parametersOf(parameters)},keyid=${keyId}$${toPhcBase64(salt)}$${toPhcBase64(hash)}`

const PHC =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,3}),keyid=([a-z0-9]{1,16})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

function decode(stored: string) {
  const [, memory, iterations, parallelism, keyId, salt, hash] = PHC.exec(stored) ?? []
  const saltBytes = fromBase64Url(salt ?? '')
  const hashBytes = fromBase64Url(hash ?? '')
  if (keyId === undefined || !saltBytes || !hashBytes) throw new Error('a stored password hash is malformed')
  const parameters = {
    memorySize: Number(memory),
    iterations: Number(iterations),
    parallelism: Number(parallelism),
  }
  return { parameters, keyId, salt: saltBytes, hash: hashBytes }
}
