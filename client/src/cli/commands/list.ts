import { Command, Option } from 'commander'
import type { MemoryItem } from '../../index.ts'
import { table, type Column } from '../output/table.ts'
import { minute } from '../output/when.ts'
import type { Context } from './context.ts'
import {
  contextQuery,
  defined,
  examples,
  statusOption,
  kindOption,
  tagOption,
  wholeNumber,
  withContext,
  type ContextOptions,
  type Status,
} from './options.ts'

interface Options extends ContextOptions {
  limit?: number
  all?: true
  cursor?: string
  tag?: string[]
  kind?: 'turn' | 'note'
  allTags?: true
  match?: string
  since?: string
  until?: string
  status?: Status
}

const PAGE = 100

const COLUMNS: readonly Column<MemoryItem>[] = [
  { title: 'ID', value: ({ id }) => id },
  { title: 'WHEN', value: ({ occurred_at, created_at }) => minute(occurred_at ?? created_at) },
  { title: 'TAGS', value: ({ tags }) => tags.join(' ') },
  { title: 'TEXT', value: ({ content }) => content.text, rest: true },
]

export const listCommand = (ctx: Context): Command =>
  withContext(new Command('list').description('List items, newest first'))
    .addOption(new Option('-l, --limit <n>', 'number of items (default: 20)').argParser(wholeNumber(1, 100)))
    .option('--all', 'list all pages')
    .option('--cursor <cursor>', 'cursor from the previous page')
    .addOption(tagOption())
    .addOption(kindOption())
    .option('--all-tags', 'match items with all of the tags (default: any of them)')
    .option('--match <words>', 'only items with all of these words')
    .option('--since <time>', 'only items stored after this time: ISO 8601 with Z or an offset')
    .option('--until <time>', 'only items stored before this time')
    .addOption(statusOption())
    .addHelpText(
      'after',
      examples(
        'recollect list --limit 5',
        'recollect list --tag ada --all',
        'recollect list --since 2026-11-01T00:00:00Z',
      ),
    )
    .action(async (options: Options, command: Command) => {
      const service = await ctx.service(command)
      const query = {
        ...contextQuery(options),
        ...(options.tag
          ? { tags: options.tag, tags_match: options.allTags ? ('all' as const) : ('any' as const) }
          : {}),
        ...defined({
          limit: options.limit ?? (options.all ? PAGE : undefined),
          cursor: options.cursor,
          kind: options.kind,
          q: options.match,
          created_after: options.since,
          created_before: options.until,
          status: options.status,
        }),
      }
      const page = await service.call(async (client, call) => {
        const pages = client.memory.list(query, call)
        if (!options.all) return pages
        const data = []
        for await (const item of pages) data.push(item)
        return { data, has_more: false, next_cursor: null }
      })
      await ctx.show(command, page, ({ data, next_cursor }) => {
        const paint = ctx.paint(command)
        if (data.length === 0) return 'No items.'
        const rows = table(data, COLUMNS, ctx.columns, paint)
        return next_cursor === null ? rows : `${rows}\n${paint('dim', `More: --cursor ${next_cursor}`)}`
      })
    })
