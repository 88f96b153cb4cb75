import { FIGURE_LABELS, type FigureFamily } from '../../audit/index.ts'
import { GAUGE_LABELS, type GaugeFamily } from './gauges.ts'
import type { Histogram, Metric } from './openmetrics.ts'
import type { MetricRows } from './read-rows.ts'

type Labels = Record<string, string>

/** The metrics that the rows make at an instant. */
export function metricsOf(rows: MetricRows, now: number): Metric[] {
  const figures = (family: FigureFamily) =>
    rows.figures
      .filter((row) => row.family === family)
      .map((row) => ({ ...row, labels: named(FIGURE_LABELS[family], row.labels) }))
  const counter = (family: FigureFamily) => sums(figures(family), FIGURE_LABELS[family])
  const timed = (family: FigureFamily, ...by: string[]) => histograms(figures(family), by)
  const gauges = (family: GaugeFamily) =>
    rows.gauges
      .filter((row) => row.family === family)
      .map((row) => ({ ...row, labels: named(GAUGE_LABELS[family], row.labels) }))
  const secondsSince = (instant: number) => (instant === 0 ? 0 : Math.max(0, now - instant) / 1_000)
  const gauge = (family: GaugeFamily) => gauges(family).map(({ labels, value }) => ({ labels, value }))
  const ages = (family: GaugeFamily) =>
    gauges(family).map(({ labels, value }) => ({ labels, value: secondsSince(value) }))
  const newest = Math.max(0, ...rows.figures.map(({ at }) => at))
  const waitingForAudit = [...ages('backlog_since'), ...ages('queue_since')].filter(
    ({ labels }) => labels['kind'] === 'audit' || labels['queue'] === 'audit',
  )
  const single = (value: number) => [{ labels: {}, value }]
  return [
    {
      name: 'recollect_requests',
      type: 'counter',
      help: 'Requests served, by route pattern and status class.',
      samples: counter('request'),
    },
    {
      name: 'recollect_request_duration_seconds',
      type: 'histogram',
      unit: 'seconds',
      help: 'Time from the arrival of a request to its response.',
      samples: timed('request', 'method', 'route'),
    },
    {
      name: 'recollect_embeddings',
      type: 'counter',
      help: 'Attempts to embed an item, by outcome.',
      samples: counter('embedding'),
    },
    {
      name: 'recollect_model_calls',
      type: 'counter',
      help: 'Calls of the embedding model, for queries and for documents.',
      samples: counter('model_call'),
    },
    {
      name: 'recollect_model_call_duration_seconds',
      type: 'histogram',
      unit: 'seconds',
      help: 'Duration of a call of the embedding model.',
      samples: timed('model_call', 'purpose'),
    },
    {
      name: 'recollect_delivery_attempts',
      type: 'counter',
      help: 'Attempts to deliver a webhook, by outcome of the delivery.',
      samples: counter('delivery'),
    },
    {
      name: 'recollect_delivery_attempt_duration_seconds',
      type: 'histogram',
      unit: 'seconds',
      help: 'Duration of an attempt to deliver a webhook.',
      samples: timed('delivery'),
    },
    {
      name: 'recollect_backlog',
      type: 'gauge',
      help: 'Work that is due in a shard, counted up to 1,000 of each kind.',
      samples: gauge('backlog'),
    },
    {
      name: 'recollect_backlog_oldest_age_seconds',
      type: 'gauge',
      unit: 'seconds',
      help: 'How long the oldest work of a kind has been due.',
      samples: ages('backlog_since'),
    },
    {
      name: 'recollect_queue_messages',
      type: 'gauge',
      help: 'Messages in a queue, delayed ones included.',
      samples: gauge('queue_messages'),
    },
    {
      name: 'recollect_queue_oldest_age_seconds',
      type: 'gauge',
      unit: 'seconds',
      help: 'Age of the oldest message in a queue; 0 if the queue does not report it.',
      samples: ages('queue_since'),
    },
    {
      name: 'recollect_database_size_bytes',
      type: 'gauge',
      unit: 'bytes',
      help: 'Size of a database of a shard. The limit of D1 is 10 GB.',
      samples: gauge('database_bytes'),
    },
    {
      name: 'recollect_audit_lag_seconds',
      type: 'gauge',
      unit: 'seconds',
      help: 'How long the oldest audit row that is not yet in an audit database has waited.',
      samples: single(Math.max(0, ...waitingForAudit.map(({ value }) => value))),
    },
    {
      name: 'recollect_audit_objects',
      type: 'counter',
      help: 'Objects of audit pages that were stored in the bucket, by shard.',
      samples: counter('audit_object'),
    },
    {
      name: 'recollect_audit_object_bytes',
      type: 'counter',
      unit: 'bytes',
      help: 'Compressed bytes in these objects.',
      samples: counter('audit_object_bytes'),
    },
    {
      name: 'recollect_audit_object_rows',
      type: 'counter',
      help: 'Audit rows in these objects.',
      samples: counter('audit_object_rows'),
    },
    {
      name: 'recollect_audit_oldest_page_age_seconds',
      type: 'gauge',
      unit: 'seconds',
      help: 'Age of the oldest audit page that was not moved to the bucket.',
      samples: ages('audit_page_since'),
    },
    {
      name: 'recollect_figures_age_seconds',
      type: 'gauge',
      unit: 'seconds',
      help: 'Age of the newest data point for requests, embeddings and deliveries.',
      samples: newest === 0 ? [] : single(secondsSince(newest)),
    },
    {
      name: 'recollect_measured_age_seconds',
      type: 'gauge',
      unit: 'seconds',
      help: 'Time since a shard was last measured.',
      samples: gauges('database_bytes')
        .filter(({ labels }) => labels['database'] === 'main')
        .map(({ labels, at }) => ({ labels: { shard: labels['shard'] ?? '' }, value: secondsSince(at) })),
    },
  ]
}

/** The values of a row by the names of their labels. Rows of an older version may have more values. */
function named(names: readonly string[], values: string): Labels {
  const each = values.split(' ')
  return Object.fromEntries(names.map((name, nth) => [name, each[nth] ?? '']))
}

/** The sums of rows that agree in the labels `by`. */
const sums = (rows: readonly { labels: Labels; count: number }[], by: readonly string[]) =>
  grouped(rows, by).map(({ labels, own }) => ({ labels, value: own.reduce((sum, { count }) => sum + count, 0) }))

function histograms(
  rows: readonly { labels: Labels; total_ms: number; buckets: string }[],
  by: readonly string[],
): { labels: Labels; value: Histogram }[] {
  return grouped(rows, by).map(({ labels, own }) => ({
    labels,
    value: {
      buckets: own
        .map(({ buckets }): number[] => JSON.parse(buckets))
        .reduce((sums, buckets) => sums.map((sum, bucket) => sum + (buckets[bucket] ?? 0))),
      totalMs: own.reduce((sum, { total_ms }) => sum + total_ms, 0),
    },
  }))
}

const grouped = <Row extends { labels: Labels }>(rows: readonly Row[], by: readonly string[]) =>
  [...Map.groupBy(rows, ({ labels }) => by.map((name) => labels[name]).join(' ')).values()].map((own) => ({
    labels: Object.fromEntries(by.map((name) => [name, own[0]?.labels[name] ?? ''])),
    own,
  }))
