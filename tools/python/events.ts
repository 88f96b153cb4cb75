import { pascal, type Schema } from './schema.ts'

/** The part of docs/asyncapi.json that names the events. */
export interface EventDocument {
  components: {
    messages: Record<string, { name: string; payload: { $ref: string } }>
    schemas: Record<string, Schema>
  }
}

/** The messages of the catalogue: `MemoryCreatedEvent` for `memory.created`, and their union, which `type` tells apart. */
export function eventSchemas({ components }: EventDocument): Record<string, Schema> {
  const events = Object.values(components.messages).filter(({ name }) => name.includes('.'))
  const named = events.map(({ name, payload }): [string, Schema] => [
    `${pascal(name)}Event`,
    components.schemas[payload.$ref.split('/').at(-1) ?? ''] ?? {},
  ])
  const union = named.map(([name]) => ({ $ref: `#/${name}` }))
  const description = 'An event of the catalogue. Ignore types that you do not know: a version may add some.'
  return { ...Object.fromEntries(named), RecollectEvent: { oneOf: union, description } }
}
