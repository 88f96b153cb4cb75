import type { Usage } from '../../memory/index.ts'
import type { Series } from '../charts/plot.tsx'

export type Row = Usage['data'][number]

export const sum = (rows: readonly Row[], field: 'requests' | 'refusals' | 'limited' | 'failures'): number =>
  rows.reduce((total, row) => total + row[field], 0)

/** Requests by how they ended. */
export function outcomesOf(starts: readonly string[], rows: readonly Row[]): Series[] {
  const byStart = Map.groupBy(rows, (row) => row.at)
  const steps = starts.map((at) => {
    const here = byStart.get(at) ?? []
    const refused = sum(here, 'refusals') + sum(here, 'failures')
    const limited = sum(here, 'limited')
    return { refused, limited, ok: Math.max(0, sum(here, 'requests') - refused - limited) }
  })
  return [
    { name: 'Answered', values: steps.map((step) => step.ok) },
    { name: 'Refused', values: steps.map((step) => step.refused) },
    { name: 'Over a limit', values: steps.map((step) => step.limited) },
  ]
}
