import { Command, Option } from 'commander'
import { FORMATS, type Format } from '../convert/source.ts'
import { EXIT } from '../exit-codes.ts'
import { IN_DOUBT, type InDoubt } from '../import/in-doubt.ts'
import { runImport, type Outcome } from '../import/run-import.ts'
import { count } from '../output/progress.ts'
import { visibleLine } from '../output/visible.ts'
import type { Context } from './context.ts'
import { examples } from './options.ts'

interface Options {
  from: Format
  project?: string
  restart?: boolean
  inDoubt?: InDoubt | null
}

export const importCommand = (ctx: Context): Command =>
  new Command('import')
    .description('Import items; the same command goes on where it broke off')
    .argument('<source>', 'a file, a folder, or - for standard input')
    .addOption(new Option('--from <format>', 'what it is').choices(FORMATS).default('jsonl'))
    .option('-p, --project <id>', 'the project; by default that of your key or your account')
    .option('--restart', 'begin anew, whatever an earlier run has done')
    .addOption(
      new Option('--in-doubt <what>', 'what to do with lines of an earlier run that may be stored').choices(IN_DOUBT),
    )
    .addHelpText(
      'after',
      examples(
        'recollect import items.jsonl',
        'recollect import --from mem0 mem0-export.json',
        'recollect import --from supermemory documents.json --project prj_01J…',
        'recollect import --from markdown ~/notes',
      ) +
        '\n\nA jsonl line is an item as "recollect export" gives it, or the body of a store.' +
        '\nExit code 1: some lines failed; the others are stored.',
    )
    .action(async (source: string, { from, project, restart = false, inDoubt = null }: Options, command: Command) => {
      const service = await ctx.service(command)
      const outcome = await runImport(ctx.io, service, { source, format: from, project, restart, inDoubt })
      for (const { from: line, code, detail } of outcome.errors) ctx.say(visibleLine(`${line}: ${code}: ${detail}`))
      if (outcome.failed > outcome.errors.length)
        ctx.say(`${count(outcome.failed - outcome.errors.length)} more failed.`)
      ctx.exit = outcome.stopped ? EXIT.interrupted : outcome.failed > 0 ? EXIT.failure : EXIT.ok
      const { created, updated, failed, skipped, in_doubt, done, lines, stopped, errors } = outcome
      await ctx.show(command, { created, updated, failed, skipped, in_doubt, done, lines, stopped, errors }, () =>
        summary(outcome),
      )
    })

function summary({ created, updated, failed, skipped, in_doubt, done, lines, stopped }: Outcome): string {
  const parts = [
    `${count(created)} created`,
    `${count(updated)} updated`,
    ...(failed > 0 ? [`${count(failed)} failed`] : []),
    ...(skipped > 0 ? [`${count(skipped)} left out`] : []),
    ...(in_doubt > 0 ? [`${count(in_doubt)} in doubt`] : []),
  ].join(', ')
  return stopped
    ? `Stopped after line ${count(done)} of ${count(lines)}: ${parts}.\nThe same command goes on from there.`
    : `Imported: ${parts}.`
}
