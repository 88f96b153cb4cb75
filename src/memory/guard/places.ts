import { shownKey } from '../../core/http/error-size.ts'
import { findIn, findInValue, type Finding } from './find/find-in.ts'
import type { StoreInput, UpdateInput } from '../item.ts'
import type { Operation } from '../write/operation.ts'

type Input = StoreInput | UpdateInput

/** A string of a write in which something was found. */
export interface Place {
  /** Dotted, as in errors. It shows no key in which something was found. */
  path: string
  text: string
  /** In order, without overlaps. */
  findings: Finding[]
  /** It names something, so it is never changed: two names would become one. */
  isName: boolean
}

const NAMES = ['namespace', 'conversation_id', 'document_id', 'session_id', 'subject'] as const

/** Shorter texts are not looked at. */
const MIN_CHARACTERS = 12
/** A number that may be one of a payment card. */
const MIN_CARD = 1e12

/** The strings of an operation that hold something, in their order. A usual one has none. */
export function placesOf(operation: Operation): Place[] {
  if (operation.op === 'retire') return placeIn('reason', operation.reason)
  if (operation.op === 'update') return placesIn(operation.input)
  if (operation.op !== 'store') return []
  const { input, retirement, turn } = operation
  return [
    ...placesIn(input),
    ...placeIn('supersede_reason', input.supersede_reason),
    ...placeIn('retired_reason', retirement?.reason),
    ...placeIn('turn.message_id', turn?.messageId, true),
    ...placeIn('turn.speaker', turn?.speaker, true),
  ]
}

function placeIn(path: string, text: string | null | undefined, isName = false): Place[] {
  if (text == null || text.length < MIN_CHARACTERS) return []
  return placeOf({ path, text, findings: findIn(text), isName })
}

const placeOf = (place: Place): Place[] => (place.findings.length > 0 ? [place] : [])

function placesIn({ content, context, tags, custom_id }: Input): Place[] {
  return [
    ...placeIn('content.text', content?.text),
    ...placesInValue('content.metadata', '', content?.metadata),
    ...(tags ?? []).flatMap((tag, index) => placeIn(`tags.${index}`, tag)),
    ...NAMES.flatMap((name) => placeIn(`context.${name}`, context?.[name], true)),
    ...placeIn('custom_id', custom_id, true),
  ]
}

/** The places in a value of metadata. Members of a list have its name. The depth of metadata is bounded. */
function placesInValue(path: string, name: string, value: unknown): Place[] {
  if (typeof value === 'number') return value >= MIN_CARD ? placeIn(path, String(value)) : []
  if (typeof value === 'string') {
    if (value.length < MIN_CHARACTERS) return []
    return placeOf({ path, text: value, findings: findInValue(name, value), isName: false })
  }
  if (Array.isArray(value)) return value.flatMap((member, index) => placesInValue(`${path}.${index}`, name, member))
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, member]) => {
    const inKey = placeIn(path, key, true)
    return [...inKey, ...placesInValue(`${path}.${inKey.length > 0 ? '…' : shownKey(key)}`, key, member)]
  })
}
