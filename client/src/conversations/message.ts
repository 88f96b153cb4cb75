/** A part of a message. A part without a text is not stored, and the answer says so. */
export interface MessagePart {
  type: string
  text?: string
}

/** A message of a conversation. */
export interface Message {
  /** What it is known by in its conversation (1..256 characters): sent again, it is not stored again. */
  id?: string
  role: 'user' | 'assistant' | 'system' | 'tool'
  /** The name of who says it. */
  name?: string
  content: string | readonly MessagePart[]
  /** When it was said (default: now). */
  timestamp?: string | Date
}

/** A type, because an interface has no index signature, and the service takes parts of any form. */
type WirePart = { type: string; text?: string }

interface WireMessage {
  id?: string
  role: Message['role']
  name?: string
  content: string | WirePart[]
  timestamp?: string
}

/** The message as the service takes it. Of a part only type and text are sent: the rest may be a whole file. */
export const toWire = ({ id, role, name, content, timestamp }: Message): WireMessage => ({
  ...(id === undefined ? {} : { id }),
  role,
  ...(name === undefined ? {} : { name }),
  content: typeof content === 'string' ? content : content.map(toPart),
  ...(timestamp === undefined ? {} : { timestamp: timestamp instanceof Date ? timestamp.toISOString() : timestamp }),
})

const toPart = ({ type, text }: MessagePart): WirePart => (text === undefined ? { type } : { type, text })
