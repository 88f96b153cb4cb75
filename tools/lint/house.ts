// The project's own lint rules, as an oxlint plugin.
import { voiceFaults } from './voice.ts'

/** The part of the ESLint interface that the rules use. */
interface Context {
  report(finding: { node: object; message: string }): void
}
interface Literal {
  type: string
  value: unknown
}
interface Call {
  callee: { type: string; property?: { name?: string } }
  arguments: Literal[]
}

const REPLACING = /\b(insert\s+or\s+replace|replace\s+into)\b/i
const SCHEMA_NAME = /^[A-Z][A-Za-z0-9]+$/

/** No SQL statement may replace a row. The rule reads strings and templates, which contain the SQL. */
const noInsertOrReplace = (context: Context) => {
  const check = (node: object, sql: string): void => {
    if (!REPLACING.test(sql)) return
    const message =
      'Replacing deletes the old row without its triggers, which corrupts the keyword index: use "on conflict … do update".'
    context.report({ node, message })
  }
  return {
    Literal: (node: Literal) => {
      if (typeof node.value === 'string') check(node, node.value)
    },
    TemplateElement: (node: { value: { raw: string } }) => check(node, node.value.raw),
  }
}

/** Schema names become types in generated clients. */
const schemaNames = (context: Context) => ({
  CallExpression: (node: Call) => {
    const [name] = node.arguments
    if (node.callee.property?.name !== 'openapi' || typeof name?.value !== 'string') return
    if (!SCHEMA_NAME.test(name.value)) {
      context.report({ node: name, message: 'Name a schema as a type: letters and digits, such as "ApiKey".' })
    }
  },
})

/** What users read is in plain English. Comments are not looked at. */
const voice = (context: Context) => {
  const check = (node: object, text: unknown): void => {
    if (typeof text !== 'string') return
    for (const message of voiceFaults(text)) context.report({ node, message })
  }
  return {
    Literal: (node: Literal) => check(node, node.value),
    TemplateElement: (node: { value: { cooked: string | null } }) => check(node, node.value.cooked),
    JSXText: (node: Literal) => check(node, node.value),
  }
}

export default {
  meta: { name: 'house' },
  rules: {
    'no-insert-or-replace': { create: noInsertOrReplace },
    'schema-names': { create: schemaNames },
    voice: { create: voice },
  },
}
