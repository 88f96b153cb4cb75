import { shownKey } from '../../core/http/error-size.ts'
import type { Found } from './find/found.ts'
import { findCards } from './find/card.ts'
import { findIbans } from './find/iban.ts'
import { findSecrets, merged } from './find/find-secrets.ts'
import type { StoreInput, UpdateInput } from '../item.ts'
import type { Operation } from '../write/operation.ts'

type Input = StoreInput | UpdateInput

/** What the guard asks of a project for a kind of finding. */
type Category = 'secrets' | 'cards' | 'ibans'

export interface Finding extends Found {
  category: Category
}

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
  const findings = findIn(text)
  return findings.length > 0 ? [{ path, text, findings, isName }] : []
}

function placesIn({ content, context, tags, custom_id }: Input): Place[] {
  const places: Place[] = []
  const look = (path: string, text: string | null | undefined, isName = false): void => {
    if (text == null || text.length < MIN_CHARACTERS) return
    const findings = findIn(text)
    if (findings.length > 0) places.push({ path, text, findings, isName })
  }
  look('content.text', content?.text)
  if (content?.metadata) lookInto('content.metadata', content.metadata, look)
  tags?.forEach((tag, index) => look(`tags.${index}`, tag))
  for (const name of ['namespace', 'conversation_id', 'document_id', 'session_id', 'subject'] as const) {
    look(`context.${name}`, context?.[name], true)
  }
  look('custom_id', custom_id, true)
  return places
}

/** What is in one string. A number that belongs to a secret counts as the secret. */
export function findIn(text: string): Finding[] {
  const of = (category: Category, found: readonly Found[]): Finding[] => found.map((one) => ({ ...one, category }))
  const secrets = findSecrets(text)
  const apart = ({ start, end }: Found): boolean => !secrets.some((one) => start < one.end && one.start < end)
  const numbers = [of('cards', findCards(text)), of('ibans', findIbans(text))].flat().filter(apart)
  return [...of('secrets', secrets), ...merged(numbers)].toSorted((a, b) => a.start - b.start)
}

/** The depth of metadata is bounded. */
function lookInto(path: string, value: unknown, look: (path: string, text: string, isName?: boolean) => void): void {
  if (typeof value === 'string') look(path, value)
  else if (typeof value === 'number') {
    if (value >= MIN_CARD) look(path, String(value))
  } else if (Array.isArray(value)) {
    value.forEach((member, index) => lookInto(`${path}.${index}`, member, look))
  } else if (value !== null && typeof value === 'object') {
    for (const [key, member] of Object.entries(value)) {
      const hidden = key.length >= MIN_CHARACTERS && findIn(key).length > 0
      if (hidden) look(path, key, true)
      lookInto(hidden ? `${path}.…` : `${path}.${shownKey(key)}`, member, look)
    }
  }
}
