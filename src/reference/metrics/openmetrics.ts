import { DURATION_BOUNDS_MS } from '../../audit/index.ts'

/** Most lines with a value of one answer. */
export const MAX_SERIES = 6_000

/** Events by bucket of duration, and the sum of their durations. */
export interface Histogram {
  buckets: readonly number[]
  totalMs: number
}

interface Sample<Value> {
  labels: Readonly<Record<string, string>>
  value: Value
}

/** One metric as OpenMetrics 1.0 writes it. A `unit` is the end of the name too, and a counter's samples get `_total`. */
export type Metric = {
  name: string
  help: string
  unit?: 'seconds' | 'bytes'
} & (
  | { type: 'counter' | 'gauge'; samples: readonly Sample<number>[] }
  | { type: 'histogram'; samples: readonly Sample<Histogram>[] }
)

export interface Printed {
  text: string
  series: number
  /** Series beyond `MAX_SERIES`, which are left out. */
  leftOut: number
}

export const CONTENT_TYPE = 'application/openmetrics-text; version=1.0.0; charset=utf-8'

/** The metrics as OpenMetrics text. The value of a label is escaped, so it begins no line of its own. */
export function print(metrics: readonly Metric[]): Printed {
  const lines: string[] = []
  let series = 0
  let leftOut = 0
  for (const metric of metrics) {
    lines.push(...headOf(metric))
    for (const some of samplesOf(metric)) {
      // A histogram is printed whole or not at all.
      if (series + some.length > MAX_SERIES) leftOut += some.length
      else {
        lines.push(...some)
        series += some.length
      }
    }
  }
  return { text: `${[...lines, '# EOF'].join('\n')}\n`, series, leftOut }
}

const headOf = ({ name, type, unit, help }: Metric): string[] => [
  `# TYPE ${name} ${type}`,
  ...(unit === undefined ? [] : [`# UNIT ${name} ${unit}`]),
  `# HELP ${name} ${escaped(help)}`,
]

/** The lines of each sample. */
function samplesOf(metric: Metric): string[][] {
  if (metric.type === 'histogram') return metric.samples.map((sample) => histogramLines(metric.name, sample))
  const name = metric.type === 'counter' ? `${metric.name}_total` : metric.name
  return metric.samples.map(({ labels, value }) => [line(name, labels, value)])
}

function histogramLines(name: string, { labels, value }: Sample<Histogram>): string[] {
  let below = 0
  const buckets = value.buckets.map((events, bucket) => {
    below += events
    return line(`${name}_bucket`, { ...labels, le: boundOf(bucket) }, below)
  })
  return [...buckets, line(`${name}_count`, labels, below), line(`${name}_sum`, labels, value.totalMs / 1_000)]
}

/** In seconds, with a fraction always: `1.0`. */
function boundOf(bucket: number): string {
  const bound = DURATION_BOUNDS_MS[bucket]
  if (bound === undefined) return '+Inf'
  const seconds = String(bound / 1_000)
  return seconds.includes('.') ? seconds : `${seconds}.0`
}

function line(name: string, labels: Readonly<Record<string, string>>, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`)
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}`
}

const escaped = (text: string): string =>
  text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll(/\r?\n|\r/g, '\\n')
