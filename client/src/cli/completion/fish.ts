import { flatten, type CommandNode } from './tree.ts'

/** One `complete` for each command and option, under the condition that the words before lead to its command. */
export function fishCompletion(root: CommandNode): string {
  const pathOf = `__${root.name}_path`
  const nodes = flatten(root)
  const lines = nodes.flatMap(({ path, node }) => {
    const at = quoted(`test (${pathOf}) = "${path.join(' ')}"`)
    return [
      ...node.commands.map((child) => `-f -n ${at} -a ${child.name} -d ${quoted(child.description)}`),
      ...node.choices.map((choice) => `-f -n ${at} -a ${choice}`),
      ...node.options.map(({ names, description, takesValue, choices }) => {
        const flags = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`))
        const value = takesValue ? (choices.length > 0 ? ` -x -a ${quoted(choices.join(' '))}` : ' -r') : ''
        return `-n ${at} ${flags.join(' ')}${value} -d ${quoted(description)}`
      }),
    ]
  })
  const paths = nodes.map(({ path }) => path.join(' ')).filter((path) => path !== '')
  return `# fish completion of ${root.name}. Put into ~/.config/fish/config.fish: ${root.name} completion fish | source
function ${pathOf}
    set -l words (commandline -opc)
    set -e words[1]
    set -l path ''
    for word in $words
        set -l longer (string trim -- "$path $word")
        contains -- $longer ${paths.map(quoted).join(' ')}; and set path $longer
    end
    echo $path
end
${lines.map((line) => `complete -c ${root.name} ${line}`).join('\n')}
`
}

const quoted = (text: string): string => `'${text.replace(/\\/g, '\\\\').replace(/'/g, "\\'")}'`
