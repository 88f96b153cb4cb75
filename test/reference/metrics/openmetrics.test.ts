import { expect, test } from 'vitest'
import { metricsOf } from '../../../src/reference/metrics/metrics-of.ts'
import { print } from '../../../src/reference/metrics/openmetrics.ts'

test('a metric is its type, its unit, its help and its samples; the text ends with EOF', () => {
  const { text } = print([
    { name: 'jobs', type: 'counter', help: 'Jobs done.', samples: [{ labels: { kind: 'a' }, value: 3 }] },
    { name: 'age_seconds', type: 'gauge', unit: 'seconds', help: 'An age.', samples: [{ labels: {}, value: 0.5 }] },
  ])
  expect(text.split('\n')).toEqual([
    '# TYPE jobs counter',
    '# HELP jobs Jobs done.',
    'jobs_total{kind="a"} 3',
    '# TYPE age_seconds gauge',
    '# UNIT age_seconds seconds',
    '# HELP age_seconds An age.',
    'age_seconds 0.5',
    '# EOF',
    '',
  ])
})

test('security 81: what a label says begins no line and no label of its own', () => {
  const evil = 'GET"} 1\nrecollect_requests_total{method=\\"x\r\nz'
  const row = {
    family: 'request',
    labels: `${evil.replaceAll(' ', '_')} /x 2xx`,
    at: 1,
    count: 1,
    total_ms: 0,
    buckets: '[0]',
  }
  const { text } = print(metricsOf({ figures: [row], gauges: [] }, 1))
  const lines = text.split('\n').filter((line) => line.startsWith('recollect_requests_total'))
  expect(lines).toEqual([
    'recollect_requests_total{method="GET\\"}_1\\nrecollect_requests_total{method=\\\\\\"x\\nz",route="/x",status_class="2xx"} 1',
  ])
})

test('rows of a family that this version does not know are left out', () => {
  const figures = [{ family: 'other', labels: 'x', at: 1, count: 1, total_ms: 0, buckets: '[1]' }]
  const gauges = [{ family: 'other', labels: 'x', at: 1, value: 1 }]
  expect(print(metricsOf({ figures, gauges }, 1)).series).toBe(2)
})
