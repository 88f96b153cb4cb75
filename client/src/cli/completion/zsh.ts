import type { CommandNode, OptionNode } from './tree.ts'

/** `_arguments` with the descriptions; a value without choices is completed by files. */
export function zshCompletion(root: CommandNode): string {
  return `#compdef ${root.name}
# zsh completion of ${root.name}. Put into ~/.zshrc: source <(${root.name} completion zsh)
${functionsOf(root, `_${root.name}`).join('\n')}
compdef _${root.name} ${root.name}
`
}

function functionsOf(node: CommandNode, name: string): string[] {
  const options = node.options.flatMap(optionSpecs)
  const rest =
    node.commands.length > 0
      ? [`'1: :->command'`, `'*:: :->rest'`]
      : [node.choices.length > 0 ? `'*: :(${node.choices.join(' ')})'` : `'*: :_files'`]
  const own = [
    `${name}() {`,
    '  local line state',
    `  _arguments -C ${[...options, ...rest].map((spec) => `\\\n    ${spec}`).join(' ')}`,
    ...(node.commands.length === 0
      ? []
      : [
          '  case $state in',
          `  command) _values command ${node.commands.map((each) => quoted(`${each.name}[${plain(each.description)}]`)).join(' ')} ;;`,
          `  rest) case $line[1] in`,
          ...node.commands.map((child) => `    ${child.name}) ${name}_${child.name} ;;`),
          '  esac ;;',
          '  esac',
        ]),
    '}',
  ]
  return [...node.commands.flatMap((child) => functionsOf(child, `${name}_${child.name}`)), own.join('\n')]
}

function optionSpecs({ names, description, takesValue, choices }: OptionNode): string[] {
  const value = takesValue ? `:value:${choices.length > 0 ? `(${choices.join(' ')})` : '_files'}` : ''
  return names.map((name) => quoted(`*${name}[${plain(description)}]${value}`))
}

/** Without what `_arguments` reads as its own syntax. */
const plain = (text: string): string => text.replace(/[[\]:\\]/g, ' ')

const quoted = (text: string): string => `'${text.replace(/'/g, `'\\''`)}'`
