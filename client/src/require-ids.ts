/**
 * Throws a TypeError for an empty id in the options of an adapter: `chat:` in place of `chat:ada` would give all users one
 * memory.
 */
export function requireIds(ids: Readonly<Record<string, string | undefined>>): void {
  for (const [name, id] of Object.entries(ids)) {
    if (id === '' || (name === 'namespace' && id?.split(':').includes('')))
      throw new TypeError(`${name} is "${id}", in which an id is empty.`)
  }
}
