/** What the rule needs of the linter's nodes: a local oxlint plugin is written against the ESLint interface. */
interface Context {
  report(finding: { node: object; message: string }): void
}

const FORBIDDEN = /\b(insert\s+or\s+replace|replace\s+into)\b/i
const MESSAGE =
  'Replacing deletes the old row without its triggers, which corrupts the word index: use "on conflict … do update".'

/** No statement may replace a row: SQL stands in plain strings and templates, so those are what it reads. */
export default {
  meta: { name: 'house' },
  rules: {
    'no-insert-or-replace': {
      create: (context: Context) => ({
        Literal: (node: { value: unknown }) => {
          if (typeof node.value === 'string' && FORBIDDEN.test(node.value)) context.report({ node, message: MESSAGE })
        },
        TemplateElement: (node: { value: { raw: string } }) => {
          if (FORBIDDEN.test(node.value.raw)) context.report({ node, message: MESSAGE })
        },
      }),
    },
  },
}
