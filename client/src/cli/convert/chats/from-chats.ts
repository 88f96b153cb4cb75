import { EXIT } from '../../exit-codes.ts'
import { Failure } from '../../failure.ts'
import type { LeftOut } from '../line.ts'
import type { Line } from '../parts.ts'
import { filesOf } from './archive.ts'
import { fromChatgpt } from './chatgpt.ts'
import { fromClaude } from './claude.ts'
import { elementsOf } from './json-array.ts'
import { linesOf, type ChatOptions } from './turn-lines.ts'

const CONVERTERS = { chatgpt: fromChatgpt, claude: fromClaude } as const

/** The apps whose exports of conversations an import reads. */
export type ChatApp = keyof typeof CONVERTERS

export const isChatApp = (format: string): format is ChatApp => Object.hasOwn(CONVERTERS, format)

/** The messages of an export, read one conversation at a time. Messages and parts that are no text are left out by name. */
export async function* fromChats(
  path: string,
  app: ChatApp,
  options: Omit<ChatOptions, 'app'>,
): AsyncGenerator<Line | LeftOut> {
  const convert = CONVERTERS[app]
  let files = 0
  for await (const { name, open } of filesOf(path)) {
    if (open === null) {
      yield { from: name, reason: 'file without conversations', kind: 'outside', count: 1 }
      continue
    }
    files += 1
    let number = 0
    for await (const record of elementsOf(name, await open())) {
      number += 1
      const converted = convert(record, `${name}, conversation ${number}`)
      if ('reason' in converted) yield converted
      else yield* linesOf(converted, { ...options, app })
    }
  }
  if (files === 0) throw new Failure(EXIT.invalid, `${path} has no conversations.json and no conversations-000.json.`)
}
