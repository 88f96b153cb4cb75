import { Command } from 'commander'
import { EXIT } from '../exit-codes.ts'
import { requireReplaceable } from '../export/may-replace.ts'
import { exportToFile, exportToOutput, type ExportQuery } from '../export/run-export.ts'
import { Failure } from '../failure.ts'
import { counted } from '../output/progress.ts'
import type { Context } from './context.ts'
import {
  contextQuery,
  defined,
  examples,
  statusOption,
  kindOption,
  tagOption,
  withContext,
  type ContextOptions,
  type Status,
} from './options.ts'

interface Options extends ContextOptions {
  output?: string
  restart?: true
  force?: true
  tag?: string[]
  kind?: 'turn' | 'note'
  allTags?: true
  since?: string
  until?: string
  status?: Status
}

export const exportCommand = (ctx: Context): Command =>
  withContext(new Command('export').description('Export items as JSON Lines, oldest first'))
    .option('-o, --output <file>', 'output file; run the same command again to resume an interrupted export')
    .option('--restart', 'start the file from the beginning')
    .option('--force', 'replace an existing output file without asking')
    .addOption(tagOption())
    .addOption(kindOption())
    .option('--all-tags', 'match items with all of the tags (default: any of them)')
    .option('--since <time>', 'only items stored after this time: ISO 8601 with Z or an offset')
    .option('--until <time>', 'only items stored before this time')
    .addOption(statusOption())
    .addHelpText(
      'after',
      examples(
        "recollect export --namespace '*' --output items.jsonl",
        "recollect export --tag ada | jq -r '.content.text'",
      ),
    )
    .action(async ({ output, restart, force, ...options }: Options, command: Command) => {
      if (restart && output === undefined) throw new Failure(EXIT.usage, '--restart needs --output.')
      if (force && output === undefined) throw new Failure(EXIT.usage, '--force needs --output.')
      if (output !== undefined && !force) await requireReplaceable(ctx.io, output)
      const service = await ctx.service(command)
      const query: ExportQuery = {
        ...contextQuery(options),
        ...(options.tag ? { tags: options.tag, tags_match: options.allTags ? 'all' : 'any' } : {}),
        ...(defined({
          kind: options.kind,
          created_after: options.since,
          created_before: options.until,
          status: options.status,
        }) as Record<string, string>),
      }
      if (output === undefined) {
        await exportToOutput(ctx.io, service, query)
        return
      }
      const items = await exportToFile(ctx.io, service, query, { name: output, restart: restart === true })
      await ctx.show(command, { items, file: output }, () => `Exported ${counted(items, 'item')} to ${output}.`)
    })
