interface ForeignName {
  /** Where an object may take what the name means; the first one that it has counts. */
  places: readonly string[]
  hint: (place: string) => string
}

const foreign = (places: readonly string[], hint = (place: string): string => `Use ${place}.`): ForeignName => ({
  places,
  hint,
})

/** Names that other memory services use. */
const FOREIGN_NAMES = new Map<string, ForeignName>([
  ['user_id', foreign(['context.namespace', 'namespace'], (place) => `For the memories of a user, use ${place}.`)],
  ['agent_id', foreign(['context.namespace', 'namespace'], (place) => `For the memories of an agent, use ${place}.`)],
  ['run_id', foreign(['context.session_id', 'session_id'], (place) => `For the memories of a run, use ${place}.`)],
  ['containerTag', foreign(['context.namespace', 'namespace'])],
  ['metadata', foreign(['content.metadata'])],
  ['namespace', foreign(['context.namespace'])],
  ['messages', foreign(['content'], (place) => `Store each message by itself, with its text as ${place}.`)],
  ['top_k', foreign(['limit'])],
  ['expires_at', foreign(['ttl'], (place) => `Use ${place}, in seconds from now.`)],
])

/**
 * A sentence for behind `Unknown field "user_id".` where the object takes what the name means elsewhere; else nothing.
 * `known`: the fields of the object, which stands at `path`.
 */
export function foreignNameHint(name: string, known: readonly string[], path: readonly string[]): string {
  const meant = FOREIGN_NAMES.get(name)
  const place = meant?.places.find((one) => known.some((field) => one === field || one.startsWith(`${field}.`)))
  return meant && place !== undefined ? ` ${meant.hint([...path, place].join('.'))}` : ''
}
