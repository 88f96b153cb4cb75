/** The entity tags of a list, such as `"a", W/"b"`. */
export const tagsOf = (header: string): string[] => header.split(',').map((tag) => tag.trim())

/** `If-None-Match` names none of the tags (RFC 9110 §13.1.2): weak comparison, a list, or `*`. */
export const matchesNone = (header: string | null, etag: string): boolean =>
  header === null || !tagsOf(header).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag)
