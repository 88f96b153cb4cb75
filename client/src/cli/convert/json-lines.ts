import { EXIT } from '../exit-codes.ts'
import { Failure } from '../failure.ts'
import { NotText, readText, splitLines } from '../read-text.ts'
import { integersAsTexts } from './integers.ts'
import { unread, type LeftOut } from './line.ts'
import type { Line } from './parts.ts'

/**
 * The lines of a file of JSON lines, as they stand there but for integers that become texts. One that is not UTF-8 is left
 * out.
 */
export async function* fromJsonLines(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  numbersAsText: boolean,
): AsyncGenerator<Line | LeftOut> {
  let number = 0
  let isFirst = true
  for await (const bytes of splitLines(chunks)) {
    number += 1
    const from = `line ${number}`
    const line = textOf(bytes)
    if (line === '') continue
    if (isFirst && typeof line === 'string' && (line.startsWith('[') || line === '{')) throw notLines(name)
    isFirst = false
    if (line instanceof NotText) yield unread(from, line.message)
    else yield { from, line: numbersAsText ? integersAsTexts(line) : line, origin: null }
  }
}

function textOf(bytes: Uint8Array): string | NotText {
  try {
    return readText(bytes).trim()
  } catch (error) {
    if (error instanceof NotText) return error
    throw error
  }
}

const notLines = (name: string): Failure => {
  const subject = name === '-' ? 'Standard input' : name
  return new Failure(
    EXIT.invalid,
    `${subject} is a JSON array or object, not JSON Lines, which have one object per line.`,
    {
      hint: "To convert an array: jq -c '.[]' array.json > items.jsonl",
    },
  )
}
