import type { HttpRequest } from './http.ts'

/** Path and query. A parameter with several values is repeated; one without a value is left out. */
export function urlOf({ path, ids = [], query = {} }: HttpRequest): string {
  let index = 0
  const filled = path.replaceAll(/\{\w+\}/g, (name) => segmentOf(name, ids[index++]))
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value as unknown].flat().flatMap((each): [string, string][] => (each == null ? [] : [[name, textOf(each)]])),
  )
  return pairs.length === 0 ? filled : `${filled}?${new URLSearchParams(pairs).toString()}`
}

/** Without a value, or with dots, the path would be that of another operation. */
function segmentOf(name: string, value: string | undefined): string {
  if (!value || value === '.' || value === '..') throw new TypeError(`${name} in the path cannot be "${value}".`)
  return encodeURIComponent(value)
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
