import { Command, Option } from 'commander'
import type { SearchResults } from '../../index.ts'
import { table, type Column } from '../output/table.ts'
import { minute } from '../output/when.ts'
import type { Context } from './context.ts'
import { contextOf, defined, examples, fraction, tagOption, wholeNumber, withPlace, type Place } from './options.ts'

interface Options extends Place {
  limit?: number
  tag?: string[]
  allTags?: true
  mode?: 'hybrid' | 'semantic' | 'keyword'
  threshold?: number
  maxTokens?: number
  neighbors?: number
}

type Result = SearchResults['results'][number]

const COLUMNS: readonly Column<Result>[] = [
  { title: 'SCORE', value: ({ score }) => score.toFixed(2), right: true },
  { title: 'ID', value: ({ id }) => id },
  { title: 'WHEN', value: ({ occurred_at, created_at }) => minute(occurred_at ?? created_at) },
  { title: 'TEXT', value: ({ snippet }) => snippet, rest: true },
]

export const searchCommand = (ctx: Context): Command =>
  withPlace(
    new Command('search')
      .description('Find items by keyword and by meaning, best first')
      .argument('<query...>', 'what to look for; several words need no quotes'),
  )
    .addOption(new Option('-l, --limit <n>', 'so many results; 10').argParser(wholeNumber(1, 100)))
    .addOption(tagOption())
    .option('--all-tags', 'items with all of the tags, and not with any of them')
    .addOption(new Option('--mode <mode>', 'how to search; hybrid').choices(['hybrid', 'semantic', 'keyword']))
    .addOption(new Option('--threshold <x>', 'the least similarity').argParser(fraction))
    .addOption(new Option('--max-tokens <n>', 'results as far as they fill so much').argParser(wholeNumber(1, 100_000)))
    .addOption(new Option('--neighbors <n>', 'so many items before and after each result').argParser(wholeNumber(0, 5)))
    .addHelpText(
      'after',
      examples(
        'recollect search which foods make her sick',
        'recollect search "tea" --tag ada --limit 3',
        "recollect search tea | jq -r '.results[].content.text'",
      ),
    )
    .action(async (words: string[], options: Options, command: Command) => {
      const service = await ctx.service(command)
      const context = contextOf(options)
      const found = await service.call((client, call) =>
        client.memory.search(
          {
            query: words.join(' '),
            ...(Object.keys(context).length > 0 ? { context } : {}),
            ...(options.tag ? { filters: { tags: options.tag, tags_match: options.allTags ? 'all' : 'any' } } : {}),
            ...defined({
              limit: options.limit,
              mode: options.mode,
              similarity_threshold: options.threshold,
              max_tokens: options.maxTokens,
              neighbors: options.neighbors,
            }),
          },
          call,
        ),
      )
      await ctx.show(command, found, ({ results, pending, degraded }) => {
        const paint = ctx.paint(command)
        const notes = [
          ...(results.length === 0 ? ['Nothing found.'] : [table(results, COLUMNS, ctx.columns, paint)]),
          ...(pending > 0 ? [paint('dim', `${pending} items still await their embedding.`)] : []),
          ...(degraded === undefined
            ? []
            : [paint('yellow', 'Semantic search is down: these are matches by keyword.')]),
        ]
        return notes.join('\n')
      })
    })
