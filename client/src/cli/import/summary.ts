import type { Measured } from '../convert/measure.ts'
import { grouped } from '../../grouped.ts'
import { count, counted } from '../output/progress.ts'
import type { Outcome } from './run-import.ts'

/** What a person should know of each line, file or record that was not simply stored. */
export const linesAbout = ({ errors, failed, ...measured }: Outcome): string[] => [
  ...linesAboutSource(measured),
  ...errors.map(({ from, code, detail }) => `${from}: ${code}: ${detail}`),
  ...(failed > errors.length ? [`${count(failed - errors.length)} more failed.`] : []),
]

/** What a person should know of a source before any of it is sent. */
export function linesAboutSource({
  leftOut,
  leftOutByReason,
  notes,
}: Pick<Measured, 'leftOut' | 'leftOutByReason' | 'notes'>): string[] {
  const inside = leftOut.filter(({ kind }) => kind !== 'outside')
  const outside = grouped(
    leftOut.filter(({ kind }) => kind === 'outside'),
    ({ reason }) => reason,
  )
  return [
    ...notes.map(({ from, note }) => `${from}: ${note}`),
    ...Array.from(outside, ([reason, all]) => `Not imported (${reason}): ${someOf(all.map(({ from }) => from))}`),
    ...leftOutByReason
      .list()
      .map((of) => `Not imported (${of.reason}): ${count(of.count)}, from ${someOf(of.from, of.places)}`),
    ...inside.map(({ from, reason }) => `${from}: left out: ${reason}`),
  ]
}

const SHOWN = 5
const someOf = (names: readonly string[], all = names.length): string =>
  names.slice(0, SHOWN).join(', ') + (all > SHOWN ? ` and ${count(all - SHOWN)} more` : '')

/** The same in JSON. */
export const leftOutJson = ({ leftOut, leftOutByReason, notes }: Parameters<typeof linesAboutSource>[0]) => ({
  left_out: leftOut.map(({ from, reason }) => ({ from, reason })),
  left_out_by_reason: leftOutByReason.list(),
  notes,
})

type Counts = Pick<
  Outcome,
  'created' | 'updated' | 'failed' | 'removed' | 'pruned' | 'in_doubt' | 'done' | 'lines' | 'stopped'
> & { skipped: number; secrets: number }

export function summary({ done, lines, stopped, ...counts }: Counts): string {
  const parts = [
    `${count(counts.created)} created`,
    `${count(counts.updated)} updated`,
    ...(counts.failed > 0 ? [`${count(counts.failed)} failed`] : []),
    ...(counts.skipped > 0 ? [`${count(counts.skipped)} skipped`] : []),
    ...(counts.removed > 0 ? [`${counted(counts.removed, 'outdated part')} removed`] : []),
    ...(counts.pruned > 0 ? [`${count(counts.pruned)} pruned`] : []),
    ...(counts.secrets > 0 ? [`${counted(counts.secrets, 'secret')} found`] : []),
    ...(counts.in_doubt > 0 ? [`${count(counts.in_doubt)} in doubt`] : []),
  ].join(', ')
  return stopped
    ? `Stopped after line ${count(done)} of ${count(lines)}: ${parts}.\nRun the same command again to resume.`
    : `Imported: ${parts}.`
}
