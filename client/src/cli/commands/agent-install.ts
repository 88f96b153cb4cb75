import { Argument, Command } from 'commander'
import { AGENTS, TITLES, type Agent } from '../agent/agents.ts'
import { requireMemory } from '../agent/credential.ts'
import { setPlace, updateSettings } from '../agent/folders.ts'
import { install, planInstall, type Change } from '../agent/installation.ts'
import { programOfHooks } from '../agent/program.ts'
import { namespaceIn, repositoryOf } from '../agent/repository.ts'
import { IGNORE_FILE, SWITCH } from '../agent/settings.ts'
import { readAddress } from '../config/address.ts'
import { EXIT } from '../exit-codes.ts'
import { Failure } from '../failure.ts'
import { nextLine } from '../io.ts'
import { visible, visibleLine } from '../output/visible.ts'
import type { Context } from './context.ts'
import { logIn } from './login.ts'
import { defined, examples } from './options.ts'

interface Options {
  all?: true
  share?: string
  yes?: true
}

const AT_START =
  'accepts nothing from a hook before a prompt: it recalls when a session starts, and remembers after each turn.'

/** What an agent needs beside the file. */
const NOTES: Partial<Record<Agent, string>> = {
  codex: 'Codex runs the hooks once you trust them: start Codex and open /hooks.',
  copilot: `Copilot CLI ${AT_START}`,
  cursor: `Cursor ${AT_START}`,
}

export const agentInstallCommand = (ctx: Context): Command =>
  new Command('install')
    .description('Add the hooks to a coding agent, and enable memory in the current repository')
    .addArgument(new Argument('<agent>', 'coding agent').choices(AGENTS))
    .option('--all', 'enable memory in every repository')
    .option('--share <project>', 'share what is stored with everyone who can read this project (default: private)')
    .option('-y, --yes', 'write without asking')
    .addHelpText(
      'after',
      examples('recollect agent install claude-code', 'recollect agent install codex --all') +
        '\n\nThe command shows what it will write and what leaves this computer, and asks before it writes.',
    )
    .action(async (agent: Agent, options: Options, command: Command) => {
      const change = await planInstall(ctx.io.env, agent, programOfHooks())
      const url = await deploymentOf(ctx, command)
      await requireMemory(ctx.io, ctx.file, url, options.share)
      const repository = await repositoryOf(process.cwd())
      const namespace = repository && (await namespaceIn(ctx.io.env, repository))
      ctx.say(visible(planOf(agent, change, url, namespace, options)))
      if (!options.yes) await requireYes(ctx)
      // Login and question take minutes: whatever was saved since then is not overwritten.
      const again = await planInstall(ctx.io.env, agent, programOfHooks())
      if (again.after !== change.after) throw changedSince(change)
      await install(ctx.io.env, agent, again)
      await updateSettings(ctx.io, (settings) => (settings.url = url))
      const on = { on: true, ...defined({ share: options.share }) }
      if (options.all) await setPlace(ctx.io, null, on)
      else if (repository) await setPlace(ctx.io, repository.root, on)
      const enabled = options.all ? 'every repository' : namespace
      const note = NOTES[agent]
      await ctx.show(command, { agent, path: change.path, url, enabled, note: note ?? null }, () =>
        [
          visibleLine(
            `${TITLES[agent]} remembers in ${enabled ?? 'no repository yet: recollect agent enable FOLDER'}.`,
          ),
          ...(note === undefined ? [] : [note]),
        ].join('\n'),
      )
    })

/** The deployment, with a login: both are asked for once. */
async function deploymentOf(ctx: Context, command: Command): Promise<string> {
  const asks = ctx.io.stdin.isTTY === true
  const known = await ctx.address(command).catch((error: unknown) => {
    if (asks && error instanceof Failure && command.optsWithGlobals()['url'] === undefined) return null
    throw error
  })
  const url = known ?? (await askAddress(ctx))
  const { api_key, oauth } = await ctx.file.deployment(url)
  if (api_key !== undefined || oauth) return url
  if (!asks)
    throw new Failure(EXIT.unauthenticated, `You are not logged in at ${url}.`, {
      hint: 'The hooks need a login of their own: recollect login. They do not use RECOLLECT_API_KEY.',
    })
  await logIn(ctx, url, { browser: true })
  return url
}

async function askAddress(ctx: Context): Promise<string> {
  ctx.io.stderr.write('Address of your deployment: ')
  return readAddress((await nextLine(ctx.io)).trim())
}

function planOf(agent: Agent, change: Change, url: string, namespace: string | null, { all, share }: Options): string {
  const where = all ? 'every repository' : (namespace ?? 'no repository: this folder is not in one')
  const who = share === undefined ? 'only you and admins of the workspace' : `everyone who can read ${share}`
  return [
    `${change.before === null ? 'Writes' : 'Adds to'} ${change.path}:`,
    '',
    ...change.lines.split('\n').map((line) => `  ${line}`),
    '',
    `What leaves this computer, for ${url}:`,
    ...(NOTES[agent]?.includes(AT_START)
      ? []
      : ['  Each prompt, before the agent works on it; relevant memories come back.']),
    '  After each turn, your prompt and the last answer, which are stored. Tool outputs stay here.',
    '  The name of the repository, from its remote, without user, password and port.',
    `Where: ${where}. Who can read it: ${who}.`,
    `To turn it off: recollect agent disable, a file ${IGNORE_FILE} in the folder, or ${SWITCH}=off.`,
    '',
  ].join('\n')
}

const changedSince = ({ path }: Change): Failure =>
  new Failure(EXIT.conflict, `${path} has changed since it was read. Nothing was written.`, {
    hint: 'Run the command again.',
  })

async function requireYes(ctx: Context): Promise<void> {
  if (ctx.io.stdin.isTTY !== true)
    throw new Failure(EXIT.usage, 'Without a terminal, the command cannot ask.', { hint: 'To write it, use --yes' })
  ctx.io.stderr.write('Write this? [y/N] ')
  if (!/^y(es)?$/i.test((await nextLine(ctx.io)).trim()))
    throw new Failure(EXIT.interrupted, 'Stopped. Nothing was written.')
}
