import { Command } from 'commander'
import { EXIT } from '../exit-codes.ts'
import { exportToFile, exportToOutput, type ExportQuery } from '../export/run-export.ts'
import { Failure } from '../failure.ts'
import { count } from '../output/progress.ts'
import type { Context } from './context.ts'
import { defined, examples, placeQuery, tagOption, withPlace, type Place } from './options.ts'

interface Options extends Place {
  output?: string
  restart?: true
  tag?: string[]
  allTags?: true
  since?: string
  until?: string
}

export const exportCommand = (ctx: Context): Command =>
  withPlace(new Command('export').description('Export items as JSON lines, oldest first'))
    .option('-o, --output <file>', 'a file; the same command goes on where it broke off')
    .option('--restart', 'begin the file anew')
    .addOption(tagOption())
    .option('--all-tags', 'items with all of the tags, and not with any of them')
    .option('--since <time>', 'stored after this instant: ISO 8601 with an offset or Z')
    .option('--until <time>', 'stored before this instant')
    .addHelpText(
      'after',
      examples(
        "recollect export --namespace '*' --output items.jsonl",
        "recollect export --tag ada | jq -r '.content.text'",
      ),
    )
    .action(async ({ output, restart, ...options }: Options, command: Command) => {
      if (restart && output === undefined) throw new Failure(EXIT.usage, '--restart goes with --output.')
      const service = await ctx.service(command)
      const query: ExportQuery = {
        ...placeQuery(options),
        ...(options.tag ? { tags: options.tag, tags_match: options.allTags ? 'all' : 'any' } : {}),
        ...(defined({ created_after: options.since, created_before: options.until }) as Record<string, string>),
      }
      if (output === undefined) {
        await exportToOutput(ctx.io, service, query)
        return
      }
      const items = await exportToFile(ctx.io, service, query, { name: output, restart: restart === true })
      await ctx.show(
        command,
        { items, file: output },
        () => `Exported ${count(items)} ${items === 1 ? 'item' : 'items'} to ${output}.`,
      )
    })
