import { Command, Option } from 'commander'
import { isChatApp } from '../convert/chats/from-chats.ts'
import { isSessionAgent, sessionsFolder } from '../convert/sessions/from-sessions.ts'
import { FORMATS, type Format } from '../convert/source.ts'
import { EXIT } from '../exit-codes.ts'
import { IN_DOUBT, type InDoubt } from '../import/in-doubt.ts'
import { runImport } from '../import/run-import.ts'
import { leftOutJson, linesAbout, summary } from '../import/summary.ts'
import { keepYoungGenerationSmall } from '../import/young-generation.ts'
import { visibleLine } from '../output/visible.ts'
import type { Context } from './context.ts'
import { GUARDS, type Guard } from '../service.ts'
import { showDryRun } from './import-dry-run.ts'
import { examples, instant } from './options.ts'

interface Options {
  from: Format
  project?: string
  namespace?: string
  guard?: Guard
  prune?: boolean
  restart?: boolean
  numbersAsText?: boolean
  inDoubt?: InDoubt | null
  dryRun?: boolean
  since?: number
}

export const importCommand = (ctx: Context): Command =>
  new Command('import')
    .description('Import items; run the same command again to resume an interrupted import')
    .argument('[source]', 'file, folder, or - for standard input (default: where the coding agent keeps its sessions)')
    .addOption(new Option('--from <format>', 'format of the source').choices(FORMATS).default('jsonl'))
    .option('-p, --project <id>', 'project (default: that of your key or account)')
    .option(
      '-n, --namespace <name>',
      'namespace for the items; can contain fields of the source, such as user:{user_id}',
    )
    .addOption(
      new Option(
        '--guard <what>',
        'minimum treatment of secrets in the lines (default: the setting of the project)',
      ).choices(GUARDS),
    )
    .addOption(
      new Option('--dry-run', 'show what would be stored, without contacting a service').conflicts([
        'prune',
        'restart',
        'inDoubt',
      ]),
    )
    .option('--since <date>', 'leave out what was written before this date, such as 2026-01-31', instant)
    .option('--prune', 'delete the items of files that are gone from the folder')
    .option('--numbers-as-text', 'turn integers that JSON numbers do not keep exactly into strings')
    .option('--restart', 'start from the beginning, ignoring earlier runs')
    .addOption(
      new Option('--in-doubt <what>', 'what to do with lines that an earlier run may already have stored').choices(
        IN_DOUBT,
      ),
    )
    .addHelpText(
      'after',
      examples(
        'recollect import items.jsonl',
        'recollect import --from chatgpt export.zip --dry-run',
        'recollect import --from claude export.zip --since 2026-01-01',
        'recollect import --from claude-code --dry-run',
        'recollect import --from mcp-memory memory.jsonl',
        'recollect import --from mem0 mem0-export.json',
        'recollect import --from supermemory documents.json --project prj_01J…',
        "recollect import --from mem0 mem0-export.json --namespace 'user:{user_id}'",
        'recollect import --from markdown ~/notes --prune',
        'recollect import chats.jsonl --guard redact',
      ) +
        '\n\nFields for --namespace: {user_id}, {agent_id}, {app_id}, {run_id}, {actor_id} (mem0); {user_id}, {container_tag} (supermemory).' +
        '\nA jsonl line is an item as printed by "recollect export", or the body of a store request.' +
        '\nA line with an integer that JSON numbers do not keep exactly fails, unless you use --numbers-as-text.' +
        '\nExit code 1: some lines failed or could not be read; the others were stored.',
    )
    .action(async (named: string | undefined, options: Options, command: Command) => {
      const { from: format, restart = false, numbersAsText = false, inDoubt = null, dryRun = false, ...rest } = options
      const source = named ?? defaultSource(ctx, format, command)
      const request = { project: undefined, ...rest, source, format, restart, numbersAsText, inDoubt }
      if (isChatApp(format)) keepYoungGenerationSmall()
      if (dryRun) return showDryRun(ctx, command, request)
      const service = await ctx.service(command)
      const outcome = await runImport(ctx.io, service, request)
      for (const line of linesAbout(outcome)) ctx.say(visibleLine(line))
      const {
        created,
        updated,
        failed,
        removed,
        pruned,
        in_doubt,
        done,
        lines,
        stopped,
        secrets = 0,
        errors,
        leftOut,
      } = outcome
      const unread = leftOut.filter(({ kind }) => kind === 'unread').length
      ctx.exit = stopped ? EXIT.interrupted : failed + unread > 0 ? EXIT.failure : EXIT.ok
      const skipped = leftOut.filter(({ kind }) => kind !== 'outside').length
      const counts = { created, updated, failed, skipped, removed, pruned, in_doubt, done, lines, stopped, secrets }
      await ctx.show(command, { ...counts, errors, ...leftOutJson(outcome) }, () => summary(counts))
    })

function defaultSource({ io }: Context, format: Format, command: Command): string {
  if (isSessionAgent(format)) return sessionsFolder(io.env, format)
  return command.error("error: missing required argument 'source'")
}
