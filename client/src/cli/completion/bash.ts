import { flatten, type CommandNode } from './tree.ts'

/** `complete -F`: the words of the line so far name the command; a value is completed by its choices, else by files. */
export function bashCompletion(root: CommandNode): string {
  const nodes = flatten(root)
  const paths = nodes.map(({ path }) => path.join(' ')).filter((path) => path !== '')
  const words = nodes.map(({ path, node }) => {
    const names = [
      ...node.commands.map(({ name }) => name),
      ...node.choices,
      ...node.options.flatMap((each) => each.names),
    ]
    return `    '${path.join(' ')}') words='${names.join(' ')}' ;;`
  })
  const values = nodes.flatMap(({ path, node }) =>
    node.options
      .filter(({ takesValue }) => takesValue)
      .map(
        ({ names, choices }) =>
          `    ${names.map((name) => `'${path.join(' ')}:${name}'`).join('|')}) values='${choices.join(' ')}' ;;`,
      ),
  )
  return `# bash completion of ${root.name}. Put into ~/.bashrc: source <(${root.name} completion bash)
_${root.name}() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} path='' word words='' values='-'
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in
    ${paths.map((path) => `'${path}'`).join('|')}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path:$prev" in
${values.join('\n')}
  esac
  if [[ $values != - ]]; then
    if [[ -n $values ]]; then COMPREPLY=($(compgen -W "$values" -- "$cur")); else COMPREPLY=($(compgen -f -- "$cur")); fi
    return
  fi
  case "$path" in
${words.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  [[ \${#COMPREPLY[@]} -gt 0 || $cur == -* || -z $path ]] || COMPREPLY=($(compgen -f -- "$cur"))
}
complete -o filenames -F _${root.name} ${root.name}
`
}
