import { EMPTY, LeftOutCounts } from '../chats/conversation.ts'
import { BLOCKS } from '../chats/claude.ts'
import { instantOf } from '../instant.ts'
import { listOf, metadataOf, objectsOf, textOf } from '../records.ts'
import { BETWEEN, COPIED, META, SIDECHAIN, type Session, type SessionReader, type Turn } from './session.ts'

type Fields = Record<string, unknown>

/** What the program writes in the name of the person: commands, their output, notices, an interruption. */
const NOT_SAID =
  /^\s*(<(command-|local-command-|bash-|user-memory-|task-notification|system-reminder)|\[Request interrupted)/

/** Reads a transcript of Claude Code. */
export class ClaudeCodeReader implements SessionReader {
  readonly #turns: Turn[] = []
  readonly #leftOut = new LeftOutCounts()
  /** That an answer belongs to; null behind what is left out, such as a command. */
  #open: Turn | null = null
  #id: string | null = null
  /** It is a fork, and no answer of its own has come yet. */
  #isInCopies = false
  /** That the session began in, as its hooks take it. */
  #folder: string | null = null

  add(record: Fields): void {
    const { type, isSidechain, isMeta, isCompactSummary, isApiErrorMessage, sessionId, cwd, promptId } = record
    this.#id ??= textOf(sessionId) ?? null
    this.#folder ??= textOf(cwd) ?? null
    if (type !== 'user' && type !== 'assistant') return this.#leftOut.add(META)
    if (isSidechain === true) return this.#leftOut.add(SIDECHAIN)
    if (type === 'user' && promptId !== undefined && promptId !== this.#open?.id) this.#open = null
    if ([isMeta, isCompactSummary, isApiErrorMessage].includes(true)) return this.#leftOut.add(META)
    if (type === 'assistant') {
      if (this.#isCopied(record)) return this.#forget()
      this.#leaveCopies()
    }
    const text = this.#textOf(record)
    if (text === null) return
    const iso = instantOf(record['timestamp'])
    const said = { text, at: iso === undefined ? null : Date.parse(iso) }
    if (type === 'user') this.#prompt(record, said)
    else this.#answer(said)
  }

  session(): Session | null {
    this.#leaveCopies()
    const turns = this.#turns.filter(({ prompts }) => prompts.length > 0)
    return this.#id === null ? null : { id: this.#id, turns, origins: [], leftOut: this.#leftOut }
  }

  /** A fork begins with the lines of another session, whose prompts get the id of the first one of its own. */
  #isCopied({ requestSessionId, sessionId }: Fields): boolean {
    return requestSessionId !== undefined && requestSessionId !== sessionId
  }

  #forget(): void {
    this.#isInCopies = true
    this.#leftOut.add(COPIED, this.#open?.prompts.splice(0).length ?? 0)
  }

  /** Nothing marks a copied prompt without an answer. Of the prompts before the first answer of a fork the last one is its own. */
  #leaveCopies(): void {
    const prompts = this.#isInCopies ? this.#turns[0]?.prompts : undefined
    this.#isInCopies = false
    if (prompts && prompts.length > 1) this.#leftOut.add(COPIED, prompts.splice(0, prompts.length - 1).length)
  }

  #prompt({ promptId, uuid }: Fields, said: Turn['prompts'][number]): void {
    // Earlier versions did not number their prompts.
    const id = textOf(promptId, uuid)
    if (id === undefined || NOT_SAID.test(said.text)) {
      this.#open = null
      return this.#leftOut.add(META)
    }
    this.#open = this.#turns.findLast((turn) => turn.id === id) ?? this.#begin(id)
    this.#open.prompts.push(said)
  }

  #begin(id: string): Turn {
    const turn: Turn = { id, folder: this.#folder, prompts: [], answer: null }
    this.#turns.push(turn)
    return turn
  }

  /** A hook gets it without the spaces around it. */
  #answer({ text, at }: Turn['prompts'][number]): void {
    if (!this.#open) return this.#leftOut.add(META)
    if (this.#open.answer) this.#leftOut.add(BETWEEN)
    this.#open.answer = { text: text.trim(), at }
  }

  /** null: nobody said anything, which is left out by what it is. */
  #textOf({ message }: Fields): string | null {
    const { content } = metadataOf(message)
    if (typeof content === 'string') return content.trim() === '' ? this.#empty() : content
    const texts = objectsOf(content).flatMap(({ type, text }) => {
      if (type === 'text' && typeof text === 'string') return text
      this.#leftOut.add(BLOCKS.get(String(type)) ?? String(type))
      return []
    })
    const text = texts.join('\n')
    if (text.trim() !== '') return text
    return texts.length > 0 || listOf(content).length === 0 ? this.#empty() : null
  }

  #empty(): null {
    this.#leftOut.add(EMPTY)
    return null
  }
}
