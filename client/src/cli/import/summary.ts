import { grouped } from '../grouped.ts'
import { count } from '../output/progress.ts'
import type { Outcome } from './run-import.ts'

/** What a person should know of each line, file or record that was not simply stored. */
export function linesAbout({ errors, failed, leftOut, notes }: Outcome): string[] {
  const inside = leftOut.filter(({ kind }) => kind !== 'outside')
  const outside = grouped(
    leftOut.filter(({ kind }) => kind === 'outside'),
    ({ reason }) => reason,
  )
  return [
    ...notes.map(({ from, note }) => `${from}: ${note}`),
    ...Array.from(outside, ([reason, all]) => `Not imported (${reason}): ${someOf(all.map(({ from }) => from))}`),
    ...inside.map(({ from, reason }) => `${from}: left out: ${reason}`),
    ...errors.map(({ from, code, detail }) => `${from}: ${code}: ${detail}`),
    ...(failed > errors.length ? [`${count(failed - errors.length)} more failed.`] : []),
  ]
}

const SHOWN = 5
const someOf = (names: readonly string[]): string =>
  names.slice(0, SHOWN).join(', ') + (names.length > SHOWN ? ` and ${count(names.length - SHOWN)} more` : '')

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
    ...(counts.removed > 0 ? [`${count(counts.removed)} outdated parts removed`] : []),
    ...(counts.pruned > 0 ? [`${count(counts.pruned)} pruned`] : []),
    ...(counts.secrets > 0 ? [`${count(counts.secrets)} secrets found`] : []),
    ...(counts.in_doubt > 0 ? [`${count(counts.in_doubt)} in doubt`] : []),
  ].join(', ')
  return stopped
    ? `Stopped after line ${count(done)} of ${count(lines)}: ${parts}.\nRun the same command again to resume.`
    : `Imported: ${parts}.`
}
