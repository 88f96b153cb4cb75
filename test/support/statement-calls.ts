import type { Plugin } from 'vitest/config'

/** A call that takes SQL: of a method of `Database`, or of `sql`, which makes a part of a statement. Or a constant. */
export interface StatementCall {
  source: string
  isPart: boolean
  /** Computes the first argument. Names that are local to a function stand for `local`. */
  text: (local: unknown) => unknown
  /** Computes the names of the values. */
  names: (local: unknown) => string[]
}

const METHODS = new Set(['all', 'first', 'write', 'statement'])
const QUERY = '?statements'

/** Gives a module that is imported as `./file.ts?statements` one more export: `statementCalls`, a `StatementCall[]`. */
export const statementCalls = (): Plugin => ({
  name: 'statement-calls',
  enforce: 'post',
  // The cache would not notice a change of this file.
  configureVitest: ({ defineCacheKeyGenerator }) =>
    defineCacheKeyGenerator(({ id }) => (id.endsWith(QUERY) ? false : null)),
  transform(code, id) {
    if (!id.endsWith(QUERY)) return null
    const program = this.parse(code) as unknown as Node
    const own = new Set((program['body'] as Node[]).flatMap(declaredBy))
    const calls = nodesOf(program).flatMap((node) => callOf(node, code, own))
    const constants = [...own].filter((name) => /^[A-Z_]+$/.test(name)).map(constantOf)
    return { code: `${code}\nexport const statementCalls = [${[...calls, ...constants].join(',\n')}]`, map: null }
  },
})

interface Node {
  type: string
  start: number
  end: number
  [member: string]: unknown
}

function callOf(node: Node, code: string, own: ReadonlySet<string>): string[] {
  if (node.type !== 'CallExpression') return []
  const [text, params] = node['arguments'] as Node[]
  const callee = node['callee'] as Node
  const isPart = callee['name'] === 'sql'
  if (!text || !(isPart || isMethod(callee))) return []
  const source = JSON.stringify(code.slice(node.start, node.end).replaceAll(/\s+/g, ' ').slice(0, 100))
  const names = params ? namesIn(params, code, own) : '() => []'
  return [`{ source: ${source}, isPart: ${isPart}, text: ${computed(text, code, own)}, names: ${names} }`]
}

function isMethod(callee: Node): boolean {
  const { object, property } = callee as { object?: Node; property?: Node }
  return METHODS.has(String(property?.['name'])) && object?.['name'] !== 'Promise'
}

/**
 * A constant of the module is run by a function that gets it, so its values are not known here. One that begins with `select`
 * may be a part of another.
 */
const constantOf = (name: string): string => {
  const text = `/^\\s*(insert|update|delete|with)\\s/.test(${name}) ? ${name} : undefined`
  return `{ source: '${name}', isPart: false, text: () => ${text}, names: (local) => Object.keys(local) }`
}

/** A function that computes an expression outside of the function in which it stands. */
function computed(expression: Node, code: string, own: ReadonlySet<string>): string {
  const nodes = nodesOf(expression)
  if (nodes.some(({ type }) => type === 'ThisExpression' || type === 'AwaitExpression')) return '(local) => local'
  const parameters = nodes.flatMap(({ params }) => ((params ?? []) as Node[]).flatMap(identifiersIn))
  const locals = new Set(
    identifiersIn(expression).filter((name) => !own.has(name) && !parameters.includes(name) && !(name in globalThis)),
  )
  const given = [...locals].map((name) => `${name} = local`).join(', ')
  return `(local) => ((${given}) => (${code.slice(expression.start, expression.end)}))()`
}

/** A function that computes the names of the members, and no value. */
function namesIn(params: Node, code: string, own: ReadonlySet<string>): string {
  const keysOf = (object: Node) => `...Object.keys((${computed(object, code, own)})(local))`
  if (params.type !== 'ObjectExpression') return `(local) => [${keysOf(params)}]`
  const names = (params['properties'] as Node[]).map((member) =>
    member.type === 'SpreadElement'
      ? keysOf(member['argument'] as Node)
      : JSON.stringify((member['key'] as Node)['name']),
  )
  return `(local) => [${names.join(', ')}]`
}

/** The node and those within it. */
const nodesOf = (node: Node): Node[] => [node, ...childrenOf(node).flatMap(nodesOf)]

const childrenOf = (node: Node): Node[] =>
  Object.values(node)
    .flat()
    .filter((child): child is Node => typeof child === 'object' && child !== null && 'type' in child)

/** The names that an expression reads, or that a pattern binds. */
function identifiersIn(node: Node): string[] {
  if (node.type === 'Identifier') return [String(node['name'])]
  return childrenOf(node)
    .filter((child) => node['computed'] === true || (child !== node['property'] && child !== node['key']))
    .flatMap(identifiersIn)
}

/** The names that a statement of a module declares. */
function declaredBy(statement: Node): string[] {
  const declared = (statement['declaration'] as Node | null | undefined) ?? statement
  const declarations = (declared['specifiers'] ?? declared['declarations'] ?? [declared]) as Node[]
  return declarations.flatMap(({ local, id }) => identifiersIn((local ?? id ?? { type: 'none' }) as Node))
}
