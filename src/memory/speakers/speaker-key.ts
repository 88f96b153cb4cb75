import { firstCharacters } from '../../core/values/code-points.ts'
import type { ItemRecord } from '../item.ts'
import { fold, visible } from '../keyword/fold.ts'

/** Words of a query that may name a speaker, and the characters in which they stand. */
const MAX_ASKED_WORDS = 16
const MAX_READ = 512

/** A name before a colon has at most this many characters. */
const MAX_SPOKEN_NAME_CHARACTERS = 40
/** More than such a name takes in UTF-16, with what stands before it. */
const MAX_START = 128

/** Capitalised, or of a script without capitals. Georgian letters count as small, and no name has a capital one. */
const NAME_WORD = String.raw`[\p{Lu}\p{Lt}\p{Lo}\p{Script=Georgian}][\p{L}\p{M}\p{N}.'’\-]*`
/** One to three words before a colon. No path and no address. */
const NAME = new RegExp(String.raw`^\s*(${NAME_WORD}(?:[^\S\n]+${NAME_WORD}){0,2})[^\S\n]*[:：](?![\/\\])`, 'u')

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/** The words of a text that have a letter, folded. */
function* wordsOf(text: string): Generator<string> {
  for (const { segment, isWordLike } of segmenter.segment(visible(text))) {
    const word = isWordLike ? fold(segment.replace(/['’]s$/iu, '')).replaceAll(/[^\p{L}\p{N}]+/gu, '') : ''
    if (/\p{L}/u.test(word)) yield word
  }
}

const firstWord = (text: string): string => wordsOf(text).next().value ?? ''

/**
 * `memory_items.speaker_key`: the first word of the name of its speaker, folded; '' without one. An item that is no turn can
 * name its speaker at its start (`Ada: …`). null: the item has no conversation.
 */
export function speakerKey({
  conversation_id,
  speaker,
  text,
}: Pick<ItemRecord, 'conversation_id' | 'speaker' | 'text'>): string | null {
  if (conversation_id === null) return null
  if (speaker !== null) return firstWord(speaker)
  const name = NAME.exec(visible(text.slice(0, MAX_START)))?.[1] ?? ''
  return Array.from(name).length > MAX_SPOKEN_NAME_CHARACTERS ? '' : firstWord(name)
}

/** The words of a query that may name a speaker, in the form of `speakerKey`. */
export function askedNames(query: string): string[] {
  const names = new Set<string>()
  let read = 0
  for (const word of wordsOf(firstCharacters(query, MAX_READ))) {
    names.add(word)
    read += 1
    if (read === MAX_ASKED_WORDS) break
  }
  return [...names]
}
