import { BOTTOM, HEIGHT, TOP } from '../../src/portal/charts/plot.tsx'

export interface Drawn {
  /** Of each series: its value at each step, as the table says it. */
  table: Record<string, string[]>
  /** Of each step: what its bars are high, from the bottom up, in units of the scale. */
  bars: number[][]
  /** Of each series: the heights of its dots. */
  dots: number[][]
}

const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map((match) => match[1] ?? '')

/** What a page draws, read from its SVG, and what it says in the table beside it. `top`: the value at the upper end. */
export function plotOf(html: string, id: string, top: number): Drawn {
  const [, figure = ''] = new RegExp(`<figure class="plot" id="${id}">([\\s\\S]*?)</figure>`).exec(html) ?? []
  const columns = all(figure, /<th scope="col"[^>]*>([^<]*)</g).slice(1)
  const rows = all(figure, /<tr>(<td[\s\S]*?)<\/tr>/g).map((row) => all(row, /<td[^>]*>([^<]*)</g).slice(1))
  const unit = top / (HEIGHT - TOP - BOTTOM)
  const groups = all(figure, /<g>([\s\S]*?)<\/g>/g)
  return {
    table: Object.fromEntries(columns.map((name, nth) => [name, rows.map((row) => row[nth] ?? '')])),
    bars: groups.map((group) => all(group, /<rect[^>]* height="([\d.]+)"/g).map((height) => Number(height) * unit)),
    dots: groups.map((group) =>
      all(group, /<circle[^>]* cy="([\d.]+)"/g).map((y) => (HEIGHT - BOTTOM - Number(y)) * unit),
    ),
  }
}

/** The values of a plot of `steps` hours in which only these steps, counted back from the current hour, have any. */
export const hours = (values: Record<number, string>, rest = '0', steps = 6): string[] =>
  Array.from({ length: steps }, (_, step) => values[steps - 1 - step] ?? rest)
