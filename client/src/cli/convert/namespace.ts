import { escapeId, fitted } from '../../escape-id.ts'
import { EXIT } from '../exit-codes.ts'
import { Failure } from '../failure.ts'
import type { Names } from './line.ts'

/** Of a namespace (contract §3). */
const MAX_NAMESPACE = 128
const LITERAL = /^[A-Za-z0-9._:@|+/=-]*$/
const NAME = /\{([^{}]*)\}/

/** The namespace of an item, or why it has none. */
export type Place = (names: Names) => Promise<{ namespace: string | null } | { reason: string }>

/**
 * Reads `--namespace`: a namespace, or one with names of the source, such as `user:{user_id}`, which is the namespace that
 * `namespaceOf('user', id)` of the client gives. A usage error for a name that the source does not have.
 */
export function readNamespace(text: string | undefined, names: readonly string[]): Place {
  if (text === undefined) return async () => ({ namespace: null })
  // With the names of a source at each second place.
  const pieces = text.split(NAME)
  for (const [at, piece] of pieces.entries()) {
    if (at % 2 === 1 && !names.includes(piece)) throw unknownName(piece, names)
    if (at % 2 === 0 && !LITERAL.test(piece))
      throw new Failure(
        EXIT.usage,
        `--namespace can contain only letters, digits and . _ : @ | + / = - (not "${piece}").`,
      )
  }
  if (text === '' || (pieces.length === 1 && text.length > MAX_NAMESPACE))
    throw new Failure(EXIT.usage, `--namespace must have 1 to ${MAX_NAMESPACE} characters.`)
  return async (values) => {
    const filled: string[] = []
    for (const [at, piece] of pieces.entries()) {
      const value = at % 2 === 0 ? piece : escaped(values[piece])
      if (value === null) return { reason: `it has no ${piece} for --namespace, or more than one` }
      filled.push(value)
    }
    return { namespace: await fitted(filled.join('')) }
  }
}

/** null: there is no value, or it is no text that UTF-8 can hold. */
const escaped = (value: string | undefined): string | null =>
  value === undefined || /\p{Surrogate}/u.test(value) ? null : escapeId(value)

function unknownName(name: string, names: readonly string[]): Failure {
  const known = names.map((one) => `{${one}}`).join(', ')
  const hint = names.length > 0 ? `Known: ${known}.` : 'This format has no fields for --namespace.'
  return new Failure(EXIT.usage, `--namespace contains {${name}}, which this format does not have.`, { hint })
}
