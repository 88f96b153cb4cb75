import { createHash } from 'node:crypto'

/** Tells two texts apart, such as keys, and tells nothing about a key. It can be the name of a file. */
export const fingerprint = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)
