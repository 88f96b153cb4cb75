import { instantOf } from '../instant.ts'
import { unread, type LeftOut } from '../line.ts'
import { fieldsOf, listOf, objectsOf, textOf } from '../records.ts'
import {
  ANOTHER_BRANCH,
  branchTo,
  EMPTY,
  LeftOutCounts,
  type Conversation,
  type Message,
  type Role,
} from './conversation.ts'

type Fields = Record<string, unknown>

const ROLES = new Map<unknown, Role>([
  ['human', 'user'],
  ['assistant', 'assistant'],
])

/** What blocks without text are. */
export const BLOCKS = new Map([
  ['thinking', 'thinking'],
  ['redacted_thinking', 'thinking'],
  ['tool_use', 'tool call'],
  ['tool_result', 'tool result'],
])

/**
 * A conversation of a Claude export, oldest message first. Where its messages name their parents, it is the branch with the
 * newest leaf: the others are answers that were generated again and questions that were edited.
 */
export function fromClaude(record: unknown, from: string): Conversation | LeftOut {
  const fields = fieldsOf(record)
  const id = textOf(fields?.['uuid'])
  if (!fields || id === undefined) return unread(from, 'it has no uuid')
  if (!Array.isArray(fields['chat_messages'])) return unread(from, 'it has no chat_messages')
  const all = objectsOf(fields['chat_messages'])
  const branch = shownOf(all)
  const leftOut = new LeftOutCounts()
  const messages = branch.flatMap((message) => messageOf(message, leftOut))
  leftOut.add(ANOTHER_BRANCH, all.length - branch.length)
  return { id, title: textOf(fields['name']) ?? null, startedAt: msOf(fields['created_at']), messages, leftOut }
}

function shownOf(messages: readonly Fields[]): readonly Fields[] {
  const parents = new Set(messages.flatMap(({ parent_message_uuid }) => textOf(parent_message_uuid) ?? []))
  if (parents.size === 0) return messages
  const byId = new Map(messages.map((message) => [message['uuid'], message]))
  const leaves = messages.filter(({ uuid }) => !parents.has(String(uuid)))
  const at = (message: Fields) => msOf(message['created_at']) ?? 0
  const newest = leaves.reduce<Fields | undefined>((a, b) => (a === undefined || at(b) >= at(a) ? b : a), undefined)
  return branchTo(newest ?? messages.at(-1), ({ parent_message_uuid }) => byId.get(parent_message_uuid))
}

function messageOf(message: Fields, leftOut: LeftOutCounts): Message[] {
  const { sender, uuid, created_at } = message
  const role = ROLES.get(sender)
  if (role === undefined) {
    leftOut.add(`message of ${String(sender)}`)
    return []
  }
  const { texts, others } = blocksOf(message)
  for (const other of [...others, ...filesOf(message)]) leftOut.add(other)
  const text = texts.join('\n\n').trim()
  if (text === '') leftOut.add(EMPTY)
  return text === '' ? [] : [{ id: textOf(uuid) ?? null, role, speaker: null, text, at: msOf(created_at) }]
}

/** The texts of a message. `text` has all of them in one, with a placeholder for each block of another kind. */
function blocksOf({ content, text }: Fields): { texts: string[]; others: string[] } {
  const blocks = objectsOf(content)
  const isText = ({ type, text: said }: Fields) => type === 'text' && typeof said === 'string'
  const texts = blocks.filter(isText).map(({ text: said }) => String(said))
  // An export without blocks, or with empty ones of text alone, has the text there.
  if (textOf(...texts) === undefined && blocks.every(({ type }) => type === 'text'))
    return { texts: [textOf(text) ?? ''], others: [] }
  return {
    texts,
    others: blocks
      .filter((block) => !isText(block))
      .map(({ type }) => BLOCKS.get(String(type)) ?? `block of ${String(type)}`),
  }
}

const filesOf = ({ attachments, files }: Fields): string[] => [
  ...listOf(attachments).map((attachment) =>
    textOf(fieldsOf(attachment)?.['extracted_content']) === undefined ? 'attached file' : 'text of an attached file',
  ),
  ...listOf(files).map(() => 'attached file'),
]

const msOf = (instant: unknown): number | null => {
  const iso = instantOf(instant)
  return iso === undefined ? null : Date.parse(iso)
}
