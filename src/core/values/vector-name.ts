/** A vector's name in every tier: at most 64 bytes, and the same whenever the same embedding is stored again. */
export const vectorName = (item: string, version: number, chunk: number): string => `${item}:${version}:${chunk}`

/** The parts of a name; null for anything else. */
export function parseVectorName(name: string): { item: string; version: number; chunk: number } | null {
  const [item = '', version, chunk] = name.split(':')
  return version === undefined || chunk === undefined ? null : { item, version: Number(version), chunk: Number(chunk) }
}
