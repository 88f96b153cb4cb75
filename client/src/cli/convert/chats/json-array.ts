import { JSONParser } from '@streamparser/json'
import { EXIT } from '../../exit-codes.ts'
import { Failure } from '../../failure.ts'

/** Strings grow in a buffer of this size, which is much faster than without one. */
const STRING_BYTES = 65_536

/**
 * The elements of a JSON array, one at a time: memory holds one element and a chunk. What stands before a fault comes out
 * before the failure, which names the file.
 */
export async function* elementsOf(name: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator {
  let ready: unknown[] = []
  let fault: string | null = null
  const parser = new JSONParser({ paths: ['$.*'], keepStack: false, stringBufferSize: STRING_BYTES })
  parser.onValue = ({ value }) => {
    ready.push(value)
  }
  parser.onError = (error) => {
    fault ??= messageOf(error)
  }
  const step = (run: () => void): void => {
    try {
      run()
    } catch (error) {
      fault ??= messageOf(error)
    }
  }
  let isEmpty = true
  for await (const chunk of chunks) {
    if (isEmpty && !beginsArray(chunk)) throw unreadable(name, 'it is not a JSON array')
    isEmpty = false
    step(() => parser.write(chunk))
    yield* ready
    ready = []
    if (fault !== null) throw unreadable(name, fault)
  }
  if (!parser.isEnded) step(() => parser.end())
  if (isEmpty) fault = 'it is empty'
  if (fault !== null) throw unreadable(name, fault)
}

/** After spaces and a byte order mark. */
const beginsArray = (chunk: Uint8Array): boolean => Buffer.from(chunk).toString().trimStart().startsWith('[')

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const unreadable = (name: string, fault: string): Failure =>
  new Failure(EXIT.invalid, `${name} cannot be read: ${fault.replace(/\.$/, '')}.`)
