import type { Command } from 'commander'

export interface OptionNode {
  /** `-l`, `--limit` */
  names: string[]
  description: string
  takesValue: boolean
  choices: readonly string[]
}

/** A command as a shell sees it. */
export interface CommandNode {
  name: string
  description: string
  options: OptionNode[]
  choices: readonly string[]
  commands: CommandNode[]
}

/** The commands as they are declared, so that no completion can be out of date. */
export function treeOf(command: Command, inherited: OptionNode[] = []): CommandNode {
  const own = command.createHelp().visibleOptions(command).map(toNode)
  const options = [
    ...own,
    ...inherited.filter(({ names }) => !own.some((each) => each.names.some((name) => names.includes(name)))),
  ]
  return {
    name: command.name(),
    description: command.description(),
    options,
    choices: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    commands: command.commands.map((child) => treeOf(child, options)),
  }
}

function toNode({ short, long, description, required, optional, argChoices }: Command['options'][number]): OptionNode {
  return {
    names: [short, long].filter((name) => name !== undefined && name !== null),
    description,
    takesValue: required || optional,
    choices: argChoices ?? [],
  }
}

/** Every command with the words that lead to it, the root first. */
export const flatten = (node: CommandNode, path: string[] = []): { path: string[]; node: CommandNode }[] => [
  { path, node },
  ...node.commands.flatMap((child) => flatten(child, [...path, child.name])),
]
