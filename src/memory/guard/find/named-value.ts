import { CODE_TOKENS } from './vendors-code.ts'
import { CLOUD_TOKENS } from './vendors-cloud.ts'
import type { Found, Reader } from './found.ts'
import { readAwsSecret } from './named-secret.ts'
import { tokenReader } from './token-shape.ts'

const readKind = (kind: string): Reader =>
  tokenReader([...CLOUD_TOKENS, ...CODE_TOKENS].filter((token) => token.kind === kind))

/** Who reads a value by the end of its name, where the value alone does not show that it is a secret. */
const READERS: readonly [name: RegExp, reader: Reader][] = [
  [/secret[-_ ]?access[-_ ]?key$/i, readAwsSecret],
  [/aws[-_ ]?secret[-_ ]?key$/i, readAwsSecret],
  [/shared[-_ ]?access[-_ ]?key$/i, readKind('azure_shared_access_key')],
  [/account[-_ ]?key$/i, readKind('azure_storage_key')],
  [/private[-_ ]?key$/i, readKind('wireguard_key')],
  [/_authToken$/, readKind('npm_token')],
]
/** No ending of a name is longer. A list of values would have a long name read once for each of them. */
const MAX_ENDING = 32

/** A value may be quoted, or begin with spaces. */
const OPENING = /^[\s"'`]{0,8}/

/** The secret with which a value of metadata begins, if its name says so. */
export function findNamedValue(name: string, value: string): Found[] {
  const ending = name.slice(-MAX_ENDING)
  const [, reader] = READERS.find(([expression]) => expression.test(ending)) ?? []
  const begin = OPENING.exec(value)?.[0].length ?? 0
  const found = reader?.(value, begin, begin)
  return typeof found === 'object' ? [found] : []
}
