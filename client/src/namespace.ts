import { escapeId, fitted } from './escape-id.ts'

/**
 * The namespace of an id, such as that of a user: `await namespaceOf('user', id)`. Levels are joined by `:`. Different ids have
 * different namespaces as the last level: in a level before it, an id with a `:` can share the namespace of another.
 * Characters outside `A-Z a-z 0-9 . _ : - @ | + /` are escaped as `=XX`, a byte of UTF-8 each. Throws a TypeError for an empty
 * id and for one with a lone surrogate.
 */
export async function namespaceOf(...levels: [string, ...string[]]): Promise<string> {
  return fitted(levels.map(escapeId).join(':'))
}
