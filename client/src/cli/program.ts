import { Command } from 'commander'
import { agentCommand } from './commands/agent.ts'
import { completionCommand } from './commands/completion.ts'
import type { Context } from './commands/context.ts'
import { deleteCommand } from './commands/delete.ts'
import { eraseCommand } from './commands/erase.ts'
import { evalCommand } from './commands/eval.ts'
import { exportCommand } from './commands/export.ts'
import { getCommand } from './commands/get.ts'
import { importCommand } from './commands/import.ts'
import { keysCommand } from './commands/keys.ts'
import { listCommand } from './commands/list.ts'
import { listenCommand } from './commands/listen.ts'
import { loginCommand, logoutCommand } from './commands/login.ts'
import { examples } from './commands/options.ts'
import { restoreCommand, retireCommand } from './commands/retire.ts'
import { searchCommand } from './commands/search.ts'
import { storeCommand } from './commands/store.ts'
import { whoamiCommand } from './commands/whoami.ts'
import { writeOut } from './output/write-out.ts'

const ENDS = `
Environment:
  RECOLLECT_URL      the deployment, same as --url
  RECOLLECT_API_KEY  an API key to use instead of a login
  NO_COLOR           no colours

Exit codes:
  0 success   1 failure, or lines of a file failed   2 usage error   3 not logged in   4 not allowed
  5 not found   6 conflict   7 invalid input   8 over a limit   9 service unreachable   130 Ctrl-C`

/** All commands. `exitOverride` and the output reach each of them: a command takes both from its parent. */
export function programOf(ctx: Context, version: string): Command {
  const program = new Command('recollect')
    .description('Memory for agents and apps, on the command line')
    .version(version, '-V, --version', 'print the version')
    .option('--url <address>', 'address of the deployment (default: RECOLLECT_URL, then the latest login)')
    .option('--json', 'print JSON, even on a terminal')
    .option('--no-color', 'disable colours')
    .helpOption('-h, --help', 'show help for the command')
    .helpCommand('help [command]', 'show help for a command')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void writeOut(ctx.io.stdout, text),
      // It quotes what it does not know, which may be a key.
      writeErr: (text) => ctx.io.stderr.write(text.replace(/\brc[a-z]_[^\s']+/g, '…')),
      getOutHelpWidth: () => ctx.columns,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .exitOverride()
    .showHelpAfterError('(use --help to see the options)')
    .addHelpText(
      'after',
      `${examples('recollect login --url https://recollect.example.com', 'recollect store "Ada is allergic to peanuts."', 'recollect search does anyone have a nut allergy')}\n${ENDS}`,
    )
  const commands = [
    loginCommand,
    logoutCommand,
    whoamiCommand,
    storeCommand,
    searchCommand,
    listCommand,
    getCommand,
    retireCommand,
    restoreCommand,
    deleteCommand,
    eraseCommand,
    evalCommand,
    importCommand,
    exportCommand,
    listenCommand,
    agentCommand,
    keysCommand,
    completionCommand,
  ]
  for (const make of commands) program.addCommand(inheriting(make(ctx), program))
  return program
}

/** `addCommand` hands no settings down. */
function inheriting(command: Command, parent: Command): Command {
  command.copyInheritedSettings(parent)
  command.helpOption('-h, --help', 'show help for the command')
  for (const child of command.commands) inheriting(child, parent)
  return command
}
