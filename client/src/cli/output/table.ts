import stringWidth from 'string-width'
import { visibleLine } from './visible.ts'
import type { Paint } from './paint.ts'

export interface Column<Row> {
  title: string
  value: (row: Row) => string
  right?: true
  /** Takes what the other columns leave of the line. One column at most. */
  rest?: true
}

const GAP = '  '
const NARROWEST = 12

/** Rows in columns, in at most `width` columns of the terminal. A text too long for its column ends in "…". */
export function table<Row>(rows: readonly Row[], columns: readonly Column<Row>[], width: number, paint: Paint): string {
  const cells = rows.map((row) => columns.map(({ value }) => visibleLine(value(row))))
  const widths = columns.map(({ title }, n) =>
    Math.max(stringWidth(title), ...cells.map((row) => stringWidth(row[n] ?? ''))),
  )
  const rest = columns.findIndex((column) => column.rest)
  if (rest >= 0) {
    const others = widths.reduce((sum, each, n) => (n === rest ? sum : sum + each + GAP.length), 0)
    widths[rest] = Math.min(widths[rest] ?? 0, Math.max(NARROWEST, width - others))
  }
  const line = (texts: readonly string[]) =>
    texts
      .map((text, n) => fit(text, widths[n] ?? 0, columns[n]?.right === true))
      .join(GAP)
      .trimEnd()
  return [paint('bold', line(columns.map(({ title }) => title))), ...cells.map(line)].join('\n')
}

function fit(text: string, width: number, right: boolean): string {
  const cut = stringWidth(text) > width ? `${head(text, width - 1)}…` : text
  const pad = ' '.repeat(Math.max(0, width - stringWidth(cut)))
  return right ? pad + cut : cut + pad
}

const graphemes = new Intl.Segmenter()

/** As many whole characters as `width` columns hold. */
function head(text: string, width: number): string {
  let taken = ''
  let used = 0
  for (const { segment } of graphemes.segment(text)) {
    used += stringWidth(segment)
    if (used > width) break
    taken += segment
  }
  return taken
}
