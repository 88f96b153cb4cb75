import type { FC } from 'hono/jsx'

/** The requests of one step by outcome; the stack begins at the bottom with `ok`. */
export interface Bar {
  at: string
  ok: number
  refused: number
  limited: number
}

const WIDTH = 720
const HEIGHT = 180
const LEFT = 44
const BOTTOM = 22
const TOP = 8
const GAP = 0.25

const SERIES = [
  ['ok', 'chart-bar', 'Answered'],
  ['refused', 'chart-bar-refused', 'Refused'],
  ['limited', 'chart-bar-limited', 'Over a limit'],
] as const

/** Stacked bars over time as SVG, drawn on the server. */
export const BarChart: FC<{ bars: readonly Bar[]; label: string; withTime: boolean }> = ({ bars, label, withTime }) => {
  const top = niceTop(Math.max(1, ...bars.map((bar) => bar.ok + bar.refused + bar.limited)))
  const plotHeight = HEIGHT - TOP - BOTTOM
  const step = (WIDTH - LEFT) / Math.max(1, bars.length)
  const y = (value: number): number => TOP + plotHeight * (1 - value / top)
  const every = Math.ceil(bars.length / 6)
  return (
    <div class="chart-scroll" tabindex={0} role="group" aria-label={label}>
      <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
        {[0, top / 2, top].map((value) => (
          <>
            <line class="chart-grid" x1={LEFT} x2={WIDTH} y1={y(value)} y2={y(value)} />
            <text class="chart-text" x={LEFT - 8} y={y(value) + 4} text-anchor="end">
              {compact(value)}
            </text>
          </>
        ))}
        {bars.map((bar, index) => (
          <>
            <Stack bar={bar} x={LEFT + step * (index + GAP / 2)} width={step * (1 - GAP)} y={y} />
            {index % every === 0 && (
              <text class="chart-text" x={LEFT + step * (index + 0.5)} y={HEIGHT - 6} text-anchor="middle">
                {withTime ? bar.at.slice(11, 16) : bar.at.slice(5, 10)}
              </text>
            )}
          </>
        ))}
      </svg>
    </div>
  )
}

const Stack: FC<{ bar: Bar; x: number; width: number; y: (value: number) => number }> = ({ bar, x, width, y }) => {
  let below = 0
  return (
    <g>
      <title>{`${bar.at.slice(0, 16).replace('T', ' ')} UTC: ${bar.ok} answered, ${bar.refused} refused, ${bar.limited} over a limit`}</title>
      {SERIES.map(([name, className]) => {
        const value = bar[name]
        if (value === 0) return null
        const from = below
        below += value
        return <rect class={className} x={x} width={width} y={y(below)} height={y(from) - y(below)} rx={1.5} />
      })}
    </g>
  )
}

export const Legend: FC = () => (
  <ul class="legend">
    {SERIES.map(([, className, label]) => (
      <li>
        <svg viewBox="0 0 10 10" aria-hidden="true">
          <rect class={className} width="10" height="10" rx="2" />
        </svg>
        {label}
      </li>
    ))}
  </ul>
)

/** The top of the scale: a round number of at least 2. */
export function niceTop(highest: number): number {
  const magnitude = 10 ** Math.floor(Math.log10(highest))
  const factor = [1, 2, 4, 5, 10].find((one) => one * magnitude >= highest) ?? 10
  return Math.max(2, factor * magnitude)
}

export const compact = (value: number): string =>
  new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }).format(value)
