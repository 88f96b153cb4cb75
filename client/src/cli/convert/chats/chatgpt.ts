import { unread, type LeftOut } from '../line.ts'
import { fieldsOf, listOf, metadataOf, textOf } from '../records.ts'
import { ANOTHER_BRANCH, branchTo, EMPTY, LeftOutCounts, type Conversation, type Message } from './conversation.ts'

type Fields = Record<string, unknown>

/** Kinds of content that are not what somebody said. */
const UNSAID = new Map([
  ['thoughts', 'thinking'],
  ['reasoning_recap', 'thinking'],
  ['user_editable_context', 'custom instructions'],
  ['model_editable_context', 'saved memories of ChatGPT'],
])

/** What parts without text are. */
const PARTS = new Map([
  ['image_asset_pointer', 'image'],
  ['audio_asset_pointer', 'audio'],
  ['real_time_user_audio_video_asset_pointer', 'audio'],
  ['video_container_asset_pointer', 'video'],
])

const NO_ID = 'it has no conversation_id'

/** ChatGPT marks citations in a text with characters for private use, which stand for nothing outside of it. */
const CITATION = /\ue200[^\ue200\ue201]*\ue201/g

/**
 * A conversation of a ChatGPT export: the messages from `current_node` by `parent` to the root, oldest first. Its tree also
 * holds answers that were generated again, questions that were edited, and messages of system and tools.
 */
export function fromChatgpt(record: unknown, from: string): Conversation | LeftOut {
  const fields = fieldsOf(record)
  if (!fields) return unread(from, NO_ID)
  const nodes = fieldsOf(fields['mapping'])
  if (!nodes) return unread(from, 'it has no messages in "mapping"')
  const nodeOf = (name: unknown) => (typeof name === 'string' && Object.hasOwn(nodes, name) ? nodes[name] : undefined)
  const parentOf = (node: unknown) => nodeOf(fieldsOf(node)?.['parent'])
  const current = nodeOf(fields['current_node']) ?? newestOf(Object.values(nodes))
  const branch = branchTo(current, parentOf)
  const id = textOf(fields['conversation_id'], fields['id'], idOf(branch.find(hasMessage)))
  if (id === undefined) return unread(from, NO_ID)
  const leftOut = new LeftOutCounts()
  const messages = branch.flatMap((node) => messageOf(node, leftOut))
  const shown = new Set(branch)
  const others = Object.values(nodes).filter((node) => !shown.has(node))
  leftOut.add(ANOTHER_BRANCH, others.filter((node) => messageOf(node, new LeftOutCounts()).length > 0).length)
  return { id, title: textOf(fields['title']) ?? null, startedAt: msOf(fields['create_time']), messages, leftOut }
}

const hasMessage = (node: unknown): boolean => fieldsOf(fieldsOf(node)?.['message']) !== null

/** The id of the message of a node. An export without ids of conversations knows one by its first message. */
function idOf(node: unknown): string | undefined {
  const fields = fieldsOf(node)
  return textOf(fieldsOf(fields?.['message'])?.['id'], fields?.['id'])
}

/** An export without a `current_node` shows the message that was written last. */
function newestOf(nodes: readonly unknown[]): unknown {
  const at = (node: unknown) => msOf(fieldsOf(fieldsOf(node)?.['message'])?.['create_time']) ?? 0
  return nodes.reduce<unknown>(
    (newest, node) => (newest === undefined || at(node) >= at(newest) ? node : newest),
    undefined,
  )
}

/** The message of a node, if it has one that somebody wrote for the other to read. */
function messageOf(node: unknown, leftOut: LeftOutCounts): Message[] {
  const message = fieldsOf(fieldsOf(node)?.['message'])
  if (!message) return []
  const author = metadataOf(message['author'])
  const content = metadataOf(message['content'])
  const { role } = author
  const reason = reasonAgainst(message, role, content)
  if (reason !== null || (role !== 'user' && role !== 'assistant')) {
    leftOut.add(reason ?? `message of ${String(role)}`)
    return []
  }
  const { texts, others } = partsOf(content)
  for (const other of [...others, ...attachmentsOf(message)]) leftOut.add(other)
  const text = texts.join('\n').replace(CITATION, '').trim()
  if (text === '') {
    if (others.length === 0) leftOut.add(EMPTY)
    return []
  }
  return [
    { id: idOf(node) ?? null, role, speaker: textOf(author['name']) ?? null, text, at: msOf(message['create_time']) },
  ]
}

/** Why a message is left out as a whole, by what it is; null: it is not. */
function reasonAgainst({ metadata, recipient }: Fields, role: unknown, content: Fields): string | null {
  if (metadataOf(metadata)['is_visually_hidden_from_conversation'] === true) return 'hidden message'
  if (role === 'system' || role === 'tool') return `${role} message`
  // What is not for all is for a tool.
  if (typeof recipient === 'string' && recipient !== 'all') return 'tool call'
  return UNSAID.get(String(content['content_type'])) ?? null
}

/** The texts of a content, and what its other parts are. */
function partsOf(content: Fields): { texts: string[]; others: string[] } {
  const texts: string[] = []
  const others: string[] = []
  for (const part of [...listOf(content['parts']), content['text']]) {
    const fields = fieldsOf(part)
    // The transcript of something said aloud is an object with a text.
    const text = typeof part === 'string' ? part : fields?.['text']
    if (typeof text === 'string') texts.push(text)
    else if (fields)
      others.push(PARTS.get(String(fields['content_type'])) ?? `part of ${String(fields['content_type'])}`)
  }
  return { texts: texts.filter((text) => text.trim() !== ''), others }
}

/** An attached image is a part too. */
const attachmentsOf = ({ metadata }: Fields): string[] =>
  listOf(metadataOf(metadata)['attachments']).flatMap((attachment) => {
    const type = fieldsOf(attachment)?.['mime_type']
    return typeof type === 'string' && type.startsWith('image/') ? [] : ['attached file']
  })

/** Milliseconds, of seconds since 1970. */
const msOf = (seconds: unknown): number | null =>
  typeof seconds === 'number' && seconds > 0 ? Math.round(seconds * 1_000) : null
