import { LeftOutCounts } from '../chats/conversation.ts'
import { instantOf } from '../instant.ts'
import { metadataOf, objectsOf, textOf } from '../records.ts'
import { BETWEEN, META, SIDECHAIN, type Said, type Session, type SessionReader, type Turn } from './session.ts'

type Fields = Record<string, unknown>

/** What items of the model are that are no message. */
const ITEMS = new Map([
  ['reasoning', 'thinking'],
  ['function_call', 'tool call'],
  ['custom_tool_call', 'tool call'],
  ['local_shell_call', 'tool call'],
  ['web_search_call', 'tool call'],
  ['function_call_output', 'tool result'],
  ['custom_tool_call_output', 'tool result'],
])

/** A turn with what two kinds of events tell of it: some versions write both. */
interface Told {
  turn: Turn
  /** By `user_message`, which is the earlier kind. */
  earlier: Said[]
  /** An event has told its id. */
  isNamed: boolean
  hasEnded: boolean
}

/** Reads a rollout of Codex: the events of its turns, because its messages also hold what Codex tells the model. */
export class CodexReader implements SessionReader {
  readonly #turns: Told[] = []
  readonly #leftOut = new LeftOutCounts()
  #id: string | null = null
  #folder: string | null = null
  readonly #origins: string[] = []
  #isSubagent = false
  /** This version tells where a turn starts and ends. */
  #tellsStarts = false

  add({ type, payload, timestamp }: Fields): void {
    const fields = metadataOf(payload)
    const iso = instantOf(timestamp)
    const at = iso === undefined ? null : Date.parse(iso)
    if (type === 'session_meta') this.#meta(fields)
    else if (type === 'turn_context') this.#context(fields)
    else if (type === 'event_msg') this.#event(fields, at)
    else if (type === 'response_item') this.#item(fields)
    else this.#leftOut.add(META)
  }

  session(): Session | null {
    if (this.#id === null) return null
    if (this.#isSubagent) this.#leftOut.add(SIDECHAIN, this.#turns.length)
    const turns = this.#isSubagent ? [] : this.#turns.map(withPrompts).filter(({ prompts }) => prompts.length > 0)
    return { id: this.#id, turns, origins: this.#origins, leftOut: this.#leftOut }
  }

  #meta({ id, cwd, source }: Fields): void {
    // A fork has the first lines of the session that it comes from behind its own.
    const named = textOf(id) ?? null
    if (this.#id !== null) {
      if (named !== null && named !== this.#id) this.#origins.push(named)
      return this.#leftOut.add(META)
    }
    this.#id = named
    this.#folder = textOf(cwd) ?? null
    this.#isSubagent = 'subagent' in metadataOf(source)
  }

  /** Earlier versions write it behind the prompt of its turn. */
  #context({ cwd, turn_id }: Fields): void {
    this.#folder = textOf(cwd) ?? this.#folder
    this.#begin(textOf(turn_id))
    const last = this.#turns.at(-1)
    if (last && !last.turn.answer) last.turn.folder = this.#folder
  }

  #event(event: Fields, at: number | null): void {
    const { type, turn_id, item, message, last_agent_message } = event
    const said = metadataOf(item)
    const id = textOf(turn_id)
    if (type === 'task_started' || type === 'turn_started') {
      this.#tellsStarts = true
      this.#begin(id)
    } else if (type === 'user_message') keep(this.#turnOfPrompt(id).earlier, textOf(message), at)
    else if (type === 'item_completed' && said['type'] === 'UserMessage')
      keep(this.#turnOfPrompt(id).turn.prompts, textsOf(said), at)
    else if (type === 'agent_message') this.#answer(this.#turn(id), textOf(message), at)
    else if (type === 'item_completed' && said['type'] === 'AgentMessage')
      this.#answer(this.#turn(id), textsOf(said), at)
    else if (type === 'task_complete' || type === 'turn_complete') {
      const told = this.#turn(id)
      this.#answer(told, textOf(last_agent_message), at)
      told.hasEnded = true
    } else this.#leftOut.add(META)
  }

  #begin(id: string | undefined): void {
    const last = this.#turns.at(-1)
    if (id === undefined || last?.turn.id === id) return
    if (!last || last.isNamed || last.turn.answer) this.#open(id)
    else {
      last.turn.id = id
      last.isNamed = true
    }
  }

  #turn(id: string | undefined): Told {
    const last = this.#turns.at(-1)
    return last && (id === undefined || last.turn.id === id) ? last : this.#open(id)
  }

  /** A prompt without the id of a turn begins one, unless the last one is still open. */
  #turnOfPrompt(id: string | undefined): Told {
    const last = this.#turns.at(-1)
    const isOpen = last && (this.#tellsStarts ? !last.hasEnded : !last.turn.answer)
    return id === undefined && !isOpen ? this.#open(undefined) : this.#turn(id)
  }

  #open(id: string | undefined): Told {
    const own = id ?? `${this.#id}:${this.#turns.length + 1}`
    const turn = { id: own, folder: this.#folder, prompts: [], answer: null }
    const told = { turn, earlier: [], isNamed: id !== undefined, hasEnded: false }
    this.#turns.push(told)
    return told
  }

  #answer({ turn, hasEnded }: Told, text: string | undefined, at: number | null): void {
    if (text === undefined || hasEnded) return
    // Both kinds of events tell of one answer.
    if (turn.answer && turn.answer.text !== text) this.#leftOut.add(BETWEEN)
    turn.answer = { text, at: turn.answer?.text === text ? turn.answer.at : at }
  }

  #item({ type, role }: Fields): void {
    if (type === 'message') {
      if (role !== 'user' && role !== 'assistant') this.#leftOut.add(META)
    } else this.#leftOut.add(ITEMS.get(String(type)) ?? String(type))
  }
}

function keep(prompts: Said[], text: string | undefined, at: number | null): void {
  if (text !== undefined) prompts.push({ text, at })
}

const withPrompts = ({ turn, earlier }: Told): Turn => ({
  ...turn,
  prompts: turn.prompts.length > 0 ? turn.prompts : earlier,
})

const textsOf = ({ content }: Fields): string | undefined =>
  textOf(
    objectsOf(content)
      .flatMap(({ text }) => (typeof text === 'string' ? text : []))
      .join('\n'),
  )
