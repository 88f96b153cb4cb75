import { Argument, Command } from 'commander'
import { AGENTS, TITLES, type Agent } from '../agent/agents.ts'
import { requireMemory } from '../agent/credential.ts'
import { currentPlace, namedPlace, setPlace } from '../agent/folders.ts'
import { remove, stateOf } from '../agent/installation.ts'
import { programOfHooks } from '../agent/program.ts'
import { lastRun } from '../agent/ran.ts'
import { namespaceIn, repositoryOf } from '../agent/repository.ts'
import { reportOf, send } from '../agent/send.ts'
import { decide, readSettings, REASONS, SWITCH, IGNORE_FILE } from '../agent/settings.ts'
import { forgetPrompts } from '../hook/session.ts'
import { counted } from '../output/progress.ts'
import { visibleLine } from '../output/visible.ts'
import { agentInstallCommand } from './agent-install.ts'
import type { Context } from './context.ts'
import { defined, examples } from './options.ts'

interface PlaceOptions {
  all?: true
  share?: string
}

export const agentCommand = (ctx: Context): Command =>
  new Command('agent')
    .description('Add memory to coding agents through their hooks')
    .addHelpText(
      'after',
      examples(
        'recollect agent install claude-code',
        'recollect agent status',
        'recollect agent disable ~/work/secret',
        'recollect agent remove claude-code',
      ),
    )
    .addCommand(agentInstallCommand(ctx))
    .addCommand(statusCommand(ctx))
    .addCommand(placeCommand(ctx, 'enable'))
    .addCommand(placeCommand(ctx, 'disable'))
    .addCommand(removeCommand(ctx))
    .addCommand(sendCommand(ctx))

function placeCommand(ctx: Context, name: 'enable' | 'disable'): Command {
  const on = name === 'enable'
  const command = new Command(name)
    .description(`${on ? 'Enable' : 'Disable'} memory in a folder and everything below it`)
    .argument('[folder]', 'folder (default: the repository of the current folder)')
    .option('--all', 'every repository without a setting of its own')
    .addHelpText(
      'after',
      examples(`recollect agent ${name}`, `recollect agent ${name} ~/work/api`, `recollect agent ${name} --all`) +
        `\n\nThe setting of the nearest folder applies. A file ${IGNORE_FILE} or ${SWITCH}=off always turns the hooks off.`,
    )
    .action(async (folder: string | undefined, { all, share }: PlaceOptions, command: Command) => {
      const here = folder === undefined ? currentPlace(process.cwd()) : namedPlace(folder)
      const place = all ? null : await here
      if (share !== undefined) await requireProject(ctx, share)
      await setPlace(ctx.io, place, { on, ...defined({ share }) })
      if (!on) await forgetPrompts(ctx.io)
      await ctx.show(command, { folder: place, enabled: on }, () =>
        visibleLine(`${on ? 'Enabled' : 'Disabled'}: ${place ?? 'every repository without a setting of its own'}`),
      )
    })
  return on
    ? command.option(
        '--share <project>',
        'share what is stored with everyone who can read this project (default: private)',
      )
    : command
}

/** Before the first `install` there is no deployment to ask. */
async function requireProject({ io, file }: Context, project: string): Promise<void> {
  const { url } = await readSettings(io.env)
  if (url !== null) await requireMemory(io, file, url, project)
}

const removeCommand = (ctx: Context): Command =>
  new Command('remove')
    .description('Remove the hooks from an agent, and nothing else')
    .addArgument(new Argument('<agent>', 'coding agent').choices(AGENTS))
    .addHelpText('after', examples('recollect agent remove claude-code'))
    .action(async (agent: Agent, _options: object, command: Command) => {
      const { path, removed } = await remove(ctx.io.env, agent)
      await ctx.show(command, { agent, path, removed }, () =>
        visibleLine(removed ? `Removed from ${path}.` : `${TITLES[agent]} has no hooks of Recollect.`),
      )
    })

const sendCommand = (ctx: Context): Command =>
  new Command('send')
    .description('Send the turns that are still waiting on this computer')
    .addHelpText('after', `${examples('recollect agent send')}\n\nThe hooks run it automatically.`)
    .action(async (_options: object, command: Command) => {
      const report = await send(ctx.io, ctx.file)
      await ctx.show(command, report, ({ sent, waiting }) => `${sent} sent, ${waiting} waiting.`)
    })

const statusCommand = (ctx: Context): Command =>
  new Command('status')
    .description('Show which agents have the hooks, whether this folder is enabled, and what is waiting to be sent')
    .argument('[folder]', 'folder (default: the current one)')
    .addHelpText('after', examples('recollect agent status', 'recollect agent status ~/work/api'))
    .action(async (folder: string | undefined, _options: object, command: Command) => {
      const status = await statusOf(ctx, folder === undefined ? process.cwd() : await namedPlace(folder))
      await ctx.show(command, status, textOf)
    })

type Status = Awaited<ReturnType<typeof statusOf>>

async function statusOf(ctx: Context, folder: string) {
  const { env } = ctx.io
  const settings = await readSettings(env)
  const repository = await repositoryOf(folder)
  const decision = await decide(settings, env, folder, repository)
  const agents = await Promise.all(
    AGENTS.map(async (agent) => {
      const [state, ran] = await Promise.all([stateOf(env, agent, programOfHooks()), lastRun(env, agent)])
      return { agent, state, last_run_at: ran === null ? null : new Date(ran).toISOString() }
    }),
  )
  const deployment = settings.url === null ? null : await ctx.file.deployment(settings.url)
  return {
    url: settings.url,
    logged_in: deployment?.api_key !== undefined || deployment?.oauth !== undefined,
    folder,
    namespace: repository && (await namespaceIn(env, repository)),
    enabled: decision.on,
    reason: decision.on ? null : REASONS[decision.why],
    share: decision.on ? decision.share : null,
    agents,
    ...(await reportOf(env)),
  }
}

function textOf({
  url,
  logged_in,
  folder,
  namespace,
  reason,
  share,
  agents,
  waiting,
  dropped,
  failure,
}: Status): string {
  const who = share === null ? 'private' : `shared with ${share}`
  const lines = [
    `Deployment: ${url ?? 'none yet'}${url !== null && !logged_in ? ' (not logged in)' : ''}`,
    `${folder}: ${reason === null ? `enabled, ${who}, ${namespace}` : `off, ${reason}`}`,
    ...agents.map(({ agent, state, last_run_at }) => `${TITLES[agent]}: ${stateText(agent, state, last_run_at)}`),
    `${counted(waiting, 'turn')} waiting${dropped > 0 ? `, ${dropped} dropped` : ''}${failure === null ? '' : `. Last attempt: ${failure}`}`,
  ]
  return lines.map(visibleLine).join('\n')
}

function stateText(agent: Agent, state: Status['agents'][number]['state'], ran: string | null): string {
  if (state === 'outdated') return `its hooks run another program. Install again: recollect agent install ${agent}`
  if (state === 'unreadable') return 'its file has comments or is not valid JSON'
  if (state === 'not installed') return state
  if (ran !== null) return `installed, last ran ${ran}`
  return agent === 'codex' ? 'installed, not trusted yet: /hooks' : 'installed, has not run yet'
}
