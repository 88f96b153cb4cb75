import { Command, Option } from 'commander'
import type { SearchResults } from '../../index.ts'
import { counted } from '../output/progress.ts'
import { table, type Column } from '../output/table.ts'
import { minute } from '../output/when.ts'
import type { Context } from './context.ts'
import {
  contextOf,
  defined,
  examples,
  fraction,
  kindOption,
  tagOption,
  wholeNumber,
  withContext,
  type ContextOptions,
} from './options.ts'

interface Options extends ContextOptions {
  limit?: number
  tag?: string[]
  kind?: 'turn' | 'note'
  allTags?: true
  mode?: 'hybrid' | 'semantic' | 'keyword'
  threshold?: number
  maxTokens?: number
  neighbors?: number
  scores?: true
}

type Result = SearchResults['results'][number]

const BAR_WIDTH = 8

/** A score orders one answer and compares with nothing else (contract §3), so a bar shows it relative to the best result. */
function columnsOf(results: readonly Result[], withScores: boolean): readonly Column<Result>[] {
  const best = Math.max(...results.map(({ score }) => score))
  const share = (score: number) => (best > 0 ? score / best : 0)
  return [
    { title: '#', value: (result) => String(results.indexOf(result) + 1), right: true },
    { title: 'OF BEST', value: ({ score }) => '█'.repeat(Math.max(1, Math.round(share(score) * BAR_WIDTH))) },
    ...(withScores ? SCORES : []),
    { title: 'ID', value: ({ id }) => id },
    { title: 'WHEN', value: ({ occurred_at, created_at }) => minute(occurred_at ?? created_at) },
    { title: 'TEXT', value: ({ snippet }) => snippet, rest: true },
  ]
}

const SCORES: readonly Column<Result>[] = [
  { title: 'SCORE', value: ({ score }) => score.toFixed(3), right: true },
  { title: 'SIMILARITY', value: ({ similarity }) => similarity?.toFixed(3) ?? '–', right: true },
]

export const searchCommand = (ctx: Context): Command =>
  withContext(
    new Command('search')
      .description('Find items by keyword and by meaning, best first')
      .argument('<query...>', 'what to look for; quotes are not needed around several words'),
  )
    .addOption(new Option('-l, --limit <n>', 'number of results (default: 10)').argParser(wholeNumber(1, 100)))
    .addOption(tagOption())
    .addOption(kindOption())
    .option('--all-tags', 'match items with all of the tags (default: any of them)')
    .addOption(new Option('--mode <mode>', 'search mode (default: hybrid)').choices(['hybrid', 'semantic', 'keyword']))
    .addOption(new Option('--threshold <x>', 'minimum similarity, 0 to 1').argParser(fraction))
    .addOption(new Option('--max-tokens <n>', 'stop at this many tokens').argParser(wholeNumber(1, 100_000)))
    .addOption(
      new Option('--neighbors <n>', 'number of items to show before and after each result').argParser(
        wholeNumber(0, 5),
      ),
    )
    .option('--scores', 'show the score and the similarity of each result as numbers')
    .addHelpText(
      'after',
      examples(
        'recollect search does anyone have a nut allergy',
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
            ...filtersOf(options),
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
          ...(results.length === 0
            ? ['Nothing found.']
            : [table(results, columnsOf(results, options.scores === true), ctx.columns, paint)]),
          ...(pending > 0
            ? [paint('dim', `${counted(pending, 'item is', 'items are')} still waiting to be embedded.`)]
            : []),
          ...(degraded === undefined
            ? []
            : [paint('yellow', 'Semantic search is unavailable: these are keyword matches.')]),
        ]
        return notes.join('\n')
      })
    })

/** A search without filters is cheaper than one whose filters let everything through. */
function filtersOf({ tag, allTags, kind }: Options) {
  if (!tag && kind === undefined) return {}
  return {
    filters: {
      ...(tag ? { tags: tag, tags_match: allTags ? ('all' as const) : ('any' as const) } : {}),
      ...defined({ kind }),
    },
  }
}
