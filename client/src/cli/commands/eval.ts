import { Command, InvalidArgumentError, Option } from 'commander'
import { compare, readEarlier, type Comparison } from '../eval/compare.ts'
import { MODES, type Mode } from '../eval/question.ts'
import { runEval, type Evaluation } from '../eval/run-eval.ts'
import { textOf } from '../eval/text.ts'
import { EXIT } from '../exit-codes.ts'
import { counted } from '../output/progress.ts'
import { visibleLine } from '../output/visible.ts'
import type { Context } from './context.ts'
import { contextOf, examples, fraction } from './options.ts'

interface Options {
  project?: string
  namespace?: string
  modes: Mode[]
  rerank?: true
  compare?: string
  minRecall?: number
}

export const evalCommand = (ctx: Context): Command =>
  new Command('eval')
    .description('Measure how well search answers your own questions')
    .argument('<file>', 'JSON Lines {query, expected, context?, filters?, reference_date?}, or - for standard input')
    .option('-p, --project <id>', 'project of lines without a context (default: that of your key or account)')
    .option('-n, --namespace <name>', 'namespace of lines without a context, or * for every one that you can read')
    .addOption(
      new Option('--modes <modes>', 'search modes, separated by commas')
        .argParser(modesOf)
        .default(['hybrid'], 'hybrid'),
    )
    .option('--rerank', 'rerank the results')
    .option('--compare <old.json>', 'show what changed since an earlier evaluation that was saved with --json')
    .addOption(
      new Option('--min-recall <x>', 'exit with code 1 if recall at 10 is below this in any mode').argParser(fraction),
    )
    .addHelpText(
      'after',
      examples(
        'recollect eval questions.jsonl',
        'recollect eval questions.jsonl --modes hybrid,semantic,keyword --json > old.json',
        'recollect eval questions.jsonl --compare old.json --min-recall 0.8',
      ) +
        '\n\nA line: {"query": "Who has a nut allergy?", "expected": ["mem_01J…", "my-custom-id"]}' +
        '\nAn empty "expected" means that no stored item answers the question.' +
        '\nExit code 1: some lines have errors and are not counted, or recall is below --min-recall.',
    )
    .action(async (file: string, options: Options, command: Command) => {
      const { modes, rerank = false, minRecall } = options
      const earlier = options.compare === undefined ? null : await readEarlier(options.compare)
      const service = await ctx.service(command)
      const found = await runEval(ctx.io, service, { file, modes, rerank, context: contextOf(options) })
      const compared = earlier && compare(found, earlier)
      const below = minRecall === undefined ? [] : modes.filter((mode) => recallOf(found, mode) < minRecall)
      for (const note of notesOf(found, compared)) ctx.say(visibleLine(note))
      for (const mode of below)
        ctx.say(`${mode}: recall at 10 is ${recallOf(found, mode).toFixed(3)}, below ${minRecall}.`)
      if (found.errors.length > 0 || below.length > 0) ctx.exit = EXIT.failure
      await ctx.show(command, compared ? { ...found, compared } : found, () =>
        textOf(found, compared, { width: ctx.columns, paint: ctx.paint(command) }),
      )
    })

function modesOf(text: string): Mode[] {
  const names = new Set(text.split(','))
  const modes = MODES.filter((mode) => names.delete(mode))
  if (names.size === 0) return modes
  throw new InvalidArgumentError(`Allowed modes, separated by commas: ${MODES.join(', ')}.`)
}

/** A file without a countable question does not reach any recall. */
const recallOf = ({ modes }: Evaluation, mode: Mode): number => modes[mode]?.recall_at_10 ?? 0

/** JSON has all of them. */
const ERRORS_SHOWN = 50

/** What a person should know before they believe the figures. */
function notesOf({ errors, pending, modes }: Evaluation, compared: Comparison | null): string[] {
  const ofModes = Object.entries(modes).flatMap(([mode, { degraded, not_reranked }]) => [
    ...(degraded > 0 ? [`${mode}: semantic search was unavailable for ${counted(degraded, 'question')}.`] : []),
    ...(not_reranked > 0 ? [`${mode}: the results of ${counted(not_reranked, 'question')} were not reranked.`] : []),
  ])
  return [
    ...errors.slice(0, ERRORS_SHOWN).map(({ from, message }) => `${from}: ${message}`),
    ...(errors.length > ERRORS_SHOWN
      ? [`${counted(errors.length - ERRORS_SHOWN, 'more line has', 'more lines have')} errors.`]
      : []),
    ...(pending > 0 ? [`${counted(pending, 'item was', 'items were')} still waiting to be embedded.`] : []),
    ...ofModes,
    ...(compared?.same_file === false ? ['The earlier evaluation asked different questions.'] : []),
    ...(compared?.same_rerank === false ? ['Only one of the two evaluations reranked.'] : []),
    ...(compared && Object.keys(compared.modes).length === 0 ? ['The two evaluations have no mode in common.'] : []),
  ]
}
