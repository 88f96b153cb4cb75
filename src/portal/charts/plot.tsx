import type { FC } from 'hono/jsx'
import { Visible } from '../../auth/index.ts'
import { Time } from '../components/elements.tsx'
import { Table } from '../components/table.tsx'
import { compact, niceTop } from './scale.ts'

/** A value for each step of the plot; null: nobody looked. */
export interface Series {
  name: string
  values: readonly (number | null)[]
  /** The steps whose value is a lower bound: the table says "or more". */
  atLeast?: readonly boolean[]
}

interface PlotProps {
  id: string
  /** The title of the plot: `Requests by operation, 24 hours`. */
  title: string
  /** Starts of the steps, oldest first. */
  steps: readonly string[]
  /** The label of a step is its time of day, else its day. */
  withTime: boolean
  /** At most `MAX_SERIES`. */
  series: readonly Series[]
  /** `bars` are stacked from the first series up; `lines` leave a gap at null. */
  kind: 'bars' | 'lines'
  format?: (value: number) => string
}

/** As many as the style sheet has colours. */
export const MAX_SERIES = 7

/** Of the drawing, in CSS pixels. It is as wide as there is room, so what goes across is in hundredths of it. */
export const HEIGHT = 200
export const BOTTOM = 22
export const TOP = 8
const GAP = 0.25

/** A plot over time as SVG, drawn on the server, with its legend and the same numbers as a table. */
export const Plot: FC<PlotProps> = (props) => {
  const { id, title, steps, withTime, series, kind, format = compact } = props
  const sums = series.map(({ values }) => values.reduce<number>((sum, value) => sum + (value ?? 0), 0))
  const label = (at: string): string => (withTime ? at.slice(11, 16) : at.slice(5, 10))
  // A day is one of UTC wherever the reader is. A time of day is shown in the reader's zone, by the script.
  const timeName = withTime ? 'Time' : 'Day (UTC)'
  return (
    <figure class="plot" id={id}>
      <Drawing {...props} format={format} label={label} />
      <ul class="legend">
        {series.map(({ name }, nth) => (
          <li>
            <svg viewBox="0 0 10 10" aria-hidden="true">
              <rect class={`plot-fill-${nth}`} width="10" height="10" rx="2" />
            </svg>
            <Visible text={name} />
            {kind === 'bars' && <span class="legend-sum">{compact(sums[nth] ?? 0)}</span>}
          </li>
        ))}
      </ul>
      <details class="disclosure">
        <summary>
          Show as a table<span class="sr-only">: {title}</span>
        </summary>
        <Table columns={[timeName, ...series.map(({ name }) => name)]} numeric={series.map(({ name }) => name)}>
          {steps.map((at, step) => (
            <tr>
              <td data-label={timeName}>{withTime ? <Time at={at} absolute /> : at.slice(0, 10)}</td>
              {series.map(({ name, values, atLeast }) => (
                <td class="num" data-label={name}>
                  {textOf(values[step] ?? null, format === compact ? String : format)}
                  {atLeast?.[step] && ' or more'}
                </td>
              ))}
            </tr>
          ))}
        </Table>
      </details>
    </figure>
  )
}

const textOf = (value: number | null, format: (value: number) => string): string =>
  value === null ? '–' : format(value)

type DrawingProps = PlotProps & { format: (value: number) => string; label: (at: string) => string }

const Drawing: FC<DrawingProps> = ({ id, title, steps, withTime, series, kind, format, label }) => {
  const heights = steps.map((_, step) => {
    const values = series.map(({ values: all }) => all[step] ?? 0)
    return kind === 'bars' ? values.reduce((sum, value) => sum + value, 0) : Math.max(0, ...values)
  })
  const top = niceTop(Math.max(1, ...heights))
  // Half a request is no mark of a scale of requests.
  const marks = format === compact && !Number.isInteger(top / 2) ? [top, 0] : [top, top / 2, 0]
  const width = 100 / Math.max(1, steps.length)
  const y = (value: number): number => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top)
  const every = Math.ceil(steps.length / 6)
  // A label of the first step would touch the name of the zone on a phone.
  const firstLabel = Math.floor(every / 2)
  return (
    <div class="chart">
      <div class="chart-text" aria-hidden="true">
        <div class="chart-scale">
          {marks.map((value) => (
            <span>{format(value)}</span>
          ))}
        </div>
        <span data-zone={withTime ? steps.at(-1) : undefined}>UTC</span>
      </div>
      <svg class="chart-plot" height={HEIGHT} role="img" aria-labelledby={`${id}-title ${id}-desc`}>
        <title id={`${id}-title`}>{title}</title>
        <desc id={`${id}-desc`}>{describe(steps, series, kind, format)}</desc>
        {marks.map((value) => (
          <line class="chart-grid" x1="0" x2="100%" y1={y(value)} y2={y(value)} />
        ))}
        {kind === 'bars'
          ? steps.map((at, step) => (
              <Stack at={at} withTime={withTime} step={step} series={series} width={width} y={y} />
            ))
          : series.map((one, nth) => <Line one={one} nth={nth} width={width} y={y} />)}
        {steps.map(
          (at, step) =>
            step % every === firstLabel && (
              <text
                class="chart-text"
                x={percent(width * (step + 0.5))}
                y={HEIGHT - 6}
                text-anchor="middle"
                data-clock={withTime ? at : undefined}
              >
                {label(at)}
              </text>
            ),
        )}
      </svg>
    </div>
  )
}

const percent = (share: number): string => `${Math.round(share * 1_000) / 1_000}%`

interface Placed {
  /** Of a step, in hundredths of the drawing. */
  width: number
  y: (value: number) => number
}

const Stack: FC<{ at: string; withTime: boolean; step: number; series: readonly Series[] } & Placed> = ({
  at,
  withTime,
  step,
  series,
  width,
  y,
}) => {
  let below = 0
  const drawn = series.map(({ name, values }) => ({ name, value: values[step] ?? 0 }))
  const said = drawn.filter(({ value }) => value > 0).map(({ name, value }) => `${name}: ${value}`)
  return (
    <g>
      <title data-at={withTime ? at : undefined} data-said={withTime ? said.join(', ') : undefined}>
        {`${withTime ? at.slice(0, 16).replace('T', ' ') : at.slice(0, 10)} UTC – ${said.join(', ')}`}
      </title>
      {drawn.map(({ value }, nth) => {
        if (value === 0) return null
        const from = below
        below += value
        const bar = { x: percent(width * (step + GAP / 2)), width: percent(width * (1 - GAP)), rx: 1 }
        return <rect class={`plot-fill-${nth}`} {...bar} y={y(below)} height={y(from) - y(below)} />
      })}
    </g>
  )
}

/** One polyline for each run of steps with values, and a dot at each value. */
const Line: FC<{ one: Series; nth: number } & Placed> = ({ one, nth, width, y }) => {
  const points = one.values.map((value, step) => (value === null ? null : ([width * (step + 0.5), y(value)] as const)))
  const runs: string[][] = [[]]
  for (const point of points) {
    if (point) runs.at(-1)?.push(point.join(','))
    else runs.push([])
  }
  return (
    <g>
      <svg viewBox={`0 0 100 ${HEIGHT}`} width="100%" height={HEIGHT} preserveAspectRatio="none">
        {runs
          .filter((run) => run.length > 1)
          .map((run) => (
            <polyline class={`plot-line plot-line-${nth}`} points={run.join(' ')} />
          ))}
      </svg>
      {points.map(
        (point) => point && <circle class={`plot-fill-${nth}`} cx={percent(point[0])} cy={point[1]} r={2.5} />,
      )}
    </g>
  )
}

/** The text before the table for a screen reader. */
function describe(
  steps: readonly string[],
  series: readonly Series[],
  kind: PlotProps['kind'],
  format: (value: number) => string,
): string {
  const parts = series.map(({ name, values }) => {
    const known = values.filter((value) => value !== null)
    if (known.length === 0) return `${name}: nothing`
    const highest = format(Math.max(...known))
    return kind === 'bars'
      ? `${name}: ${known.reduce((sum, value) => sum + value, 0)} in total, at most ${highest} at once`
      : `${name}: at most ${highest}`
  })
  return `${steps.length} steps. ${parts.join('; ')}. The table below has every number.`
}
