/** The name of a vector in both tiers: at most 64 bytes, and the same each time the same embedding is stored. */
export const vectorName = (item: string, version: number, chunk: number): string => `${item}:${version}:${chunk}`

/** The parts of a name; null for any other text. */
export function parseVectorName(name: string): { item: string; version: number; chunk: number } | null {
  const [item = '', version, chunk] = name.split(':')
  return version === undefined || chunk === undefined ? null : { item, version: Number(version), chunk: Number(chunk) }
}
