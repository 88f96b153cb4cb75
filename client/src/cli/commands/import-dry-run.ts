import type { Command } from 'commander'
import { EXIT } from '../exit-codes.ts'
import { dryRun, type DryRun } from '../import/dry-run.ts'
import type { ImportRequest } from '../import/run-import.ts'
import { leftOutJson, linesAboutSource } from '../import/summary.ts'
import type { Paint } from '../output/paint.ts'
import { count, counted } from '../output/progress.ts'
import { table, type Column } from '../output/table.ts'
import { visibleLine } from '../output/visible.ts'
import { minute } from '../output/when.ts'
import type { Context } from './context.ts'

/** Shows what an import would store. */
export async function showDryRun(ctx: Context, command: Command, { source, ...options }: ImportRequest): Promise<void> {
  const found = await dryRun(ctx.io, source, options)
  for (const line of linesAboutSource(found)) ctx.say(visibleLine(line))
  if (found.leftOut.some(({ kind }) => kind === 'unread')) ctx.exit = EXIT.failure
  const { leftOut: _, leftOutByReason: __, notes: ___, ...counts } = found
  await ctx.show(command, { dry_run: true, ...counts, ...leftOutJson(found) }, () =>
    textOf(found, ctx.columns, ctx.paint(command)),
  )
}

const COLUMNS: Column<DryRun['first'][number]>[] = [
  { title: 'TIME', value: ({ occurred_at }) => minute(occurred_at) },
  { title: 'BY', value: ({ role, speaker }) => speaker ?? role ?? '' },
  {
    title: 'TITLE',
    value: ({ title }) =>
      Array.from(title ?? '')
        .slice(0, MAX_TITLE)
        .join(''),
  },
  { title: 'FIRST LINE', value: ({ text }) => text, rest: true },
]
const MAX_TITLE = 30

function textOf(found: DryRun, columns: number, paint: Paint): string {
  const { lines, messages, conversations, roles, speakers, earliest, latest, first } = found
  const what =
    messages > 0
      ? `${counted(messages, 'message')} in ${counted(conversations, 'conversation')}`
      : counted(lines, 'item')
  const when = earliest === null ? '' : `, from ${minute(earliest)} to ${minute(latest)}`
  return [
    `Dry run: nothing is stored. An import would send ${what}${when}.`,
    ...(messages > 0 ? [`Roles: ${named(roles)}`] : []),
    ...(Object.keys(speakers).length > 0 ? [`Speakers: ${named(speakers)}`] : []),
    ...(first.length > 0 ? [table(first, COLUMNS, columns, paint)] : []),
  ].join('\n')
}

const SHOWN = 20

/** The names with the most messages. */
function named(counts: Record<string, number>): string {
  const all = Object.entries(counts).sort(([, a], [, b]) => b - a)
  const shown = all.slice(0, SHOWN).map(([name, n]) => `${visibleLine(name)} ${count(n)}`)
  return shown.join(', ') + (all.length > SHOWN ? ` and ${count(all.length - SHOWN)} more` : '')
}
