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
  numbersAsText?: boolean
  inDoubt?: InDoubt | null
}

export const importCommand = (ctx: Context): Command =>
  new Command('import')
    .description('Import items; run the same command again to resume an interrupted import')
    .argument('<source>', 'a file, a folder, or - for standard input')
    .addOption(new Option('--from <format>', 'format of the source').choices(FORMATS).default('jsonl'))
    .option('-p, --project <id>', 'project (default: that of your key or account)')
    .option('--numbers-as-text', 'turn integers that JSON numbers do not keep exactly into texts')
    .option('--restart', 'start from the beginning, ignoring earlier runs')
    .addOption(
      new Option('--in-doubt <what>', 'what to do with lines that an earlier run may have stored').choices(IN_DOUBT),
    )
    .addHelpText(
      'after',
      examples(
        'recollect import items.jsonl',
        'recollect import --from mem0 mem0-export.json',
        'recollect import --from supermemory documents.json --project prj_01J…',
        'recollect import --from markdown ~/notes',
      ) +
        '\n\nA jsonl line is an item as printed by "recollect export", or the body of a store request.' +
        '\nAn integer that JSON numbers do not keep exactly fails its line, unless you use --numbers-as-text.' +
        '\nExit code 1: some lines failed; the others were stored.',
    )
    .action(async (source: string, options: Options, command: Command) => {
      const { from: format, project, restart = false, numbersAsText = false, inDoubt = null } = options
      const service = await ctx.service(command)
      const asked = { source, format, project, restart, numbersAsText, inDoubt }
      const outcome = await runImport(ctx.io, service, asked)
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
    ...(skipped > 0 ? [`${count(skipped)} skipped`] : []),
    ...(in_doubt > 0 ? [`${count(in_doubt)} in doubt`] : []),
  ].join(', ')
  return stopped
    ? `Stopped after line ${count(done)} of ${count(lines)}: ${parts}.\nRun the same command again to resume.`
    : `Imported: ${parts}.`
}
