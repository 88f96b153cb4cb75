import { expect, test } from 'vitest'
import board from '../../../docs/grafana.json'
import metrics from '../../../docs/metrics.md?raw'
import operations from '../../../docs/operations.md?raw'
import { FIGURE_LABELS } from '../../../src/audit/index.ts'
import { GAUGE_LABELS } from '../../../src/reference/metrics/gauges.ts'
import { metricsOf } from '../../../src/reference/metrics/metrics-of.ts'
import { print } from '../../../src/reference/metrics/openmetrics.ts'

/** One row of each family, so that each metric is printed with its labels. */
const rows = {
  figures: Object.entries(FIGURE_LABELS).map(([family, names]) => ({
    family,
    labels: names.join(' '),
    at: 1,
    count: 1,
    total_ms: 1,
    buckets: '[1]',
  })),
  gauges: Object.entries(GAUGE_LABELS).map(([family, names]) => ({
    family,
    // The age of a shard is told by its main database.
    labels: names.map((name) => (name === 'database' ? 'main' : name)).join(' '),
    at: 1,
    value: 1,
  })),
}

/** The labels of each name that `/metrics` prints. */
const printed = new Map(
  print(metricsOf(rows, 1))
    .text.split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => [line.split(/[{ ]/)[0] ?? '', [...line.matchAll(/[{,](\w+)="/g)].map(([, label]) => label ?? '')]),
)

const expressions = board.panels.flatMap((panel) =>
  'targets' in panel ? panel.targets.map(({ expr, legendFormat }) => ({ panel: panel.title, expr, legendFormat })) : [],
)

function expectPrinted(expr: string, place: string): void {
  const names = expr.match(/recollect_\w+/g) ?? []
  expect(names, place).not.toEqual([])
  for (const name of names) expect([...printed.keys()], place).toContain(name)
  const labels = names.flatMap((name) => printed.get(name) ?? [])
  const used = [
    ...[...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list]) => (list ?? '').split(', ')),
    ...[...expr.matchAll(/(\w+)=~?"/g)].map(([, label]) => label ?? ''),
  ]
  for (const label of used) expect(labels, `${place}: ${label}`).toContain(label)
}

test('every expression of docs/grafana.json names metrics and labels that /metrics prints', () => {
  expect(expressions.length).toBeGreaterThan(20)
  for (const { panel, expr } of expressions) expectPrinted(expr, panel)
})

test('a legend names labels that its expression leaves', () => {
  for (const { panel, expr, legendFormat } of expressions)
    for (const [, label = ''] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) {
      const grouped = /by \(([^)]*)\)/.exec(expr)?.[1]?.split(', ')
      const labels = grouped ?? printed.get(/recollect_\w+/.exec(expr)?.[0] ?? '') ?? []
      expect(labels, panel).toContain(label)
    }
})

test('the board shows each metric', () => {
  const shown = new Set(expressions.flatMap(({ expr }) => expr.match(/recollect_\w+/g) ?? []))
  const stem = (name: string) => name.replace(/_(bucket|count|sum)$/, '')
  expect(new Set([...shown].map(stem))).toEqual(new Set([...printed.keys()].map(stem)))
})

test('panels have ids of their own, lie in the grid and do not overlap', () => {
  const ids = board.panels.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const cells = new Set<string>()
  for (const { title, gridPos } of board.panels) {
    expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24)
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        expect(cells.has(`${x} ${y}`), title).toBe(false)
        cells.add(`${x} ${y}`)
      }
  }
})

test('docs/metrics.md has each metric with its labels', () => {
  const table = [...metrics.matchAll(/^\| `(recollect_\w+)` +\| ([^|]*)\|/gm)].map(([, name, labels = '']) => [
    name,
    [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label),
  ])
  const each = [...printed]
    .filter(([name]) => !/_(bucket|sum)$/.test(name))
    .map(([name, labels]) => [name.replace(/_count$/, ''), labels])
  expect(table).toEqual(each)
})

test('every alarm of docs/operations.md names metrics and labels that /metrics prints', () => {
  const alarms = [...operations.matchAll(/^- `([^`]*recollect_[^`]* > [^`]*)`/gm)].map(([, expr]) => expr ?? '')
  expect(alarms.length).toBeGreaterThanOrEqual(8)
  for (const expr of alarms) expectPrinted(expr, expr)
})
