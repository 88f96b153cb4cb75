import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runInNewContext } from 'node:vm'

/**
 * What the code says under a name: `MAX_TAGS`; `outbox#KEPT_MS`, that of the one outbox.ts; `DEADLINE_MS.query`, a member;
 * `wrangler.toml#NAME` and `package.json#engines.node` too. Undefined for an unknown name and for one of several files.
 */
export type Constants = (name: string) => unknown

const DECLARED = /^(?:export )?const ([A-Z][A-Z0-9_]*)\b[^=\n]*= (.*[^{[(\n]$|[^]*?^[}\])].*)/gm

export function constantsOf(root: string): Constants {
  const declared = new Map<string, Map<string, string>>()
  const read = (file: string): string => readFileSync(join(root, file), 'utf8')
  for (const file of globSync('{src,client,tools}/**/*.{ts,tsx}', { cwd: root, exclude: ['**/node_modules/**'] })) {
    for (const [, name = '', initializer = ''] of read(file).matchAll(DECLARED))
      declared.set(name, (declared.get(name) ?? new Map()).set(file, initializer))
  }

  function valueOf(name: string, among: (file: string) => boolean): unknown {
    const [found, second] = [...(declared.get(name) ?? [])].filter(([file]) => among(file))
    if (!found || second) return undefined
    const [file, initializer] = found
    const code = initializer.replace(/(?: as const| satisfies .*)+$/, '')
    const names = new Set(code.match(/(?<![.\w'])[A-Z][A-Z0-9_]*\b/g))
    const valueHere = (name: string): unknown => {
      const from = new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from '(.+)'`).exec(read(file))?.[1]
      return valueOf(name, (path) => path === (from === undefined ? file : join(dirname(file), from)))
    }
    try {
      return runInNewContext(`(${code}\n)`, Object.fromEntries([...names].map((name) => [name, valueHere(name)])))
    } catch {
      return undefined
    }
  }

  return (name) => {
    const [, file = '', path = ''] = /^(?:(.+)#)?(.+)$/.exec(name) ?? []
    if (file.endsWith('.json')) return numberOf(memberOf(JSON.parse(read(file)), path))
    if (file.endsWith('.toml')) return numberOf(new RegExp(`^${path} = (.*)`, 'm').exec(read(file))?.[1])
    const [constant = ''] = path.split('.')
    const among = (path: string): boolean => file === '' || new RegExp(`(?:^|/)${file}\\.tsx?$`).test(path)
    return numberOf(memberOf(valueOf(constant, among), path.slice(constant.length + 1)))
  }
}

/** The member at a path of keys, which may have dots themselves: `login.unknown` is none of `login`. */
function memberOf(value: unknown, path: string): unknown {
  if (path === '' || typeof value !== 'object' || value === null) return path === '' ? value : undefined
  const [key, member] =
    Object.entries(value)
      .toSorted(([a], [b]) => b.length - a.length)
      .find(([key]) => `${path}.`.startsWith(`${key}.`)) ?? []
  return key === undefined ? undefined : memberOf(member, path.slice(key.length + 1))
}

/** The first number of a text such as ">=20.12"; anything else as it is. */
const numberOf = (value: unknown): unknown =>
  typeof value === 'string' ? Number(/\d+(?:\.\d+)?/.exec(value)?.[0] ?? NaN) : value
