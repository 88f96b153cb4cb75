/** Who wrote a message that an import takes. */
export type Role = 'user' | 'assistant'

/** A message as its export gives it. */
export interface Message {
  id: string | null
  role: Role
  /** The name that the message carries; null: none. */
  speaker: string | null
  text: string
  /** Milliseconds since 1970; null: the export does not say. */
  at: number | null
}

/** A conversation: the one branch of messages that its app shows. */
export interface Conversation {
  id: string
  title: string | null
  /** Milliseconds since 1970; null: the export does not say. */
  startedAt: number | null
  messages: Message[]
  leftOut: LeftOutCounts
}

/** The number of things that were left out, by what they are. */
export class LeftOutCounts extends Map<string, number> {
  add(what: string, count = 1): void {
    if (count > 0) this.set(what, (this.get(what) ?? 0) + count)
  }
}

export const ANOTHER_BRANCH = 'message of another branch'
export const EMPTY = 'message without text'

/** From the root to `leaf`. A tree with a circle, which no app makes, ends where it would begin again. */
export function branchTo<Node>(leaf: Node | undefined, parentOf: (node: Node) => Node | undefined): Node[] {
  const branch = new Set<Node>()
  for (let node = leaf; node !== undefined && !branch.has(node); node = parentOf(node)) branch.add(node)
  return [...branch].reverse()
}

/**
 * The times of messages in their order: an item's place in its conversation is its time. A message without a time, or with
 * one before that of the message it follows, gets the next millisecond. null: nothing says when the conversation was.
 */
export function timesOf({ messages, startedAt }: Pick<Conversation, 'messages' | 'startedAt'>): (number | null)[] {
  const first = startedAt ?? messages.find(({ at }) => at !== null)?.at ?? null
  let last: number | null = null
  return messages.map(({ at }) => {
    const next: number | null = last === null ? first : last + 1
    last = at === null ? next : last === null ? at : Math.max(at, last + 1)
    return last
  })
}
