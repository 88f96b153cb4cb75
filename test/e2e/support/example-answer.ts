import { isObject, type Cast } from './example-cast.ts'
import type { Document, Schema } from './openapi.ts'

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'list' : typeof value)

/** The readiness of a shard: the example shows those of the first one. */
const OF_SHARD = /^(database|audit)_\d\d$/

/** Where an answer has another shape than its example. An abridged example shows a part of the answer alone. */
function differences(example: unknown, answer: unknown, abridged: boolean, path = ''): string[] {
  // What is not known yet is null; the schema says where it may be.
  if (example === null || answer === null) return []
  if (kindOf(example) !== kindOf(answer)) return [`${path || '/'}: ${kindOf(example)} here, ${kindOf(answer)} there`]
  if (Array.isArray(example) && Array.isArray(answer)) {
    if (answer.length < example.length) return [`${path}: ${example.length} here, ${answer.length} there`]
    return example.flatMap((one, index) => differences(one, answer[index], abridged, `${path}/${index}`))
  }
  if (isObject(example) && isObject(answer)) {
    const missing = Object.keys(example).filter((key) => !(key in answer))
    const further = abridged ? [] : Object.keys(answer).filter((key) => !(key in example) && !OF_SHARD.test(key))
    return [
      ...missing.map((key) => `${path}/${key}: only in the example`),
      ...further.map((key) => `${path}/${key}: not in the example`),
      ...Object.keys(example)
        .filter((key) => key in answer)
        .flatMap((key) => differences(example[key], answer[key], abridged, `${path}/${key}`)),
    ]
  }
  return []
}

const asText = (example: unknown): string => (typeof example === 'string' ? example : JSON.stringify(example))

/** Whether an answer has more than its schema names: its example shows a part of it. */
function isOpen({ schemas }: Document, schema: Schema): boolean {
  const named = schema.$ref ? schemas[schema.$ref.split('/').at(-1) ?? ''] : schema
  return named?.properties !== undefined && named.additionalProperties !== undefined
}

/** What is wrong with the body of an answer by its schema and by its example; the cast learns who is in it. */
export function bodyFaults(
  document: Document,
  cast: Cast,
  documented: Record<string, { schema: Schema; example?: unknown }>,
  text: string,
): string[] {
  const [[type, content] = []] = Object.entries(documented)
  if (!content || type === undefined) return text === '' ? [] : [`a body that is not documented: ${text}`]
  const { example, schema } = content
  if (example === undefined) return [`no example of the answer: ${text.slice(0, 500)}`]
  if (!type.endsWith('json')) {
    const beginning = asText(example).split('…')[0] ?? ''
    return text.startsWith(beginning) ? [] : [`does not begin with ${beginning}: ${text.slice(0, 200)}`]
  }
  if (type.endsWith('ndjson')) {
    const [answer, shown] = [text, asText(example)].map((lines) => JSON.parse(lines.split('\n')[0] ?? '') as unknown)
    return [...cast.learn(shown, answer), ...differences(shown, answer, false)]
  }
  const answer = JSON.parse(text) as unknown
  const fault = document.fault(schema, answer)
  const shown = cast.keyed(example)
  return [
    ...(fault === null ? [] : [`not of its schema: ${fault}`]),
    ...cast.learn(shown, answer),
    ...differences(shown, answer, isOpen(document, schema)),
  ]
}
