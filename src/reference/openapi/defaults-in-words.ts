/**
 * Says in words what a field of a body is by default. Generators make a field with the keyword `default` one that callers
 * must send, or cannot write the value down if it is an object. Parameters keep theirs.
 */
export function withDefaultsInWords<T extends { components?: object; paths?: object }>(document: T): T {
  const { components, paths } = document
  for (const schema of valuesOf(memberOf(components, 'schemas'))) sayDefaults(schema)
  for (const operation of valuesOf(paths).flatMap(valuesOf)) {
    const content = memberOf(memberOf(operation, 'requestBody'), 'content')
    for (const media of valuesOf(content)) sayDefaults(memberOf(media, 'schema'))
  }
  return document
}

const NESTED = ['items', 'additionalProperties', 'anyOf', 'oneOf', 'allOf']

function sayDefaults(schema: unknown): void {
  if (!isObject(schema)) return
  if ('default' in schema) {
    const words = inWords(schema['default'])
    if (words !== null) schema['description'] = [schema['description'], `Default: ${words}.`].filter(Boolean).join(' ')
    delete schema['default']
  }
  for (const property of valuesOf(schema['properties'])) sayDefaults(property)
  for (const nested of NESTED.flatMap((name) => schema[name])) sayDefaults(nested)
}

/** null: it is empty, which a field that is left out is too. */
function inWords(value: unknown): string | null {
  if (value === '' || (typeof value === 'object' && value !== null)) return null
  return `\`${JSON.stringify(value)}\``
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const memberOf = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined)

const valuesOf = (value: unknown): unknown[] => (isObject(value) ? Object.values(value) : [])
