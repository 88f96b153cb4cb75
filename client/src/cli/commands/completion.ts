import { Argument, Command } from 'commander'
import { bashCompletion } from '../completion/bash.ts'
import { fishCompletion } from '../completion/fish.ts'
import { treeOf } from '../completion/tree.ts'
import { zshCompletion } from '../completion/zsh.ts'
import type { Context } from './context.ts'
import { examples } from './options.ts'

const SHELLS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const

export const completionCommand = (ctx: Context): Command =>
  new Command('completion')
    .description('Print the completion script for a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SHELLS)))
    .addHelpText(
      'after',
      examples(
        'source <(recollect completion bash)   # in ~/.bashrc',
        'source <(recollect completion zsh)    # in ~/.zshrc',
        'recollect completion fish | source    # in ~/.config/fish/config.fish',
      ),
    )
    .action((shell: keyof typeof SHELLS, _options: object, command: Command) => {
      const root = command.parent ?? command
      return ctx.print(SHELLS[shell](treeOf(root)).trimEnd())
    })
