// Reads { columns, rows, chunks: [{ at, text }] } and writes the screen after each chunk: [{ at, lines }].
// A line is a list of runs [column, text, style], without what is blank.
import { text } from 'node:stream/consumers'
import xterm from '@xterm/headless'

const { columns, rows, chunks } = JSON.parse(await text(process.stdin))
const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true })
const frames = []
for (const { at, text: written } of chunks) {
  await new Promise((resolve) => terminal.write(written, resolve))
  frames.push({ at, lines: Array.from({ length: rows }, (_, y) => runsOf(y)) })
}
process.stdout.write(JSON.stringify(frames))

function runsOf(y) {
  const { active } = terminal.buffer
  const line = active.getLine(active.viewportY + y)
  const runs = []
  for (let x = 0; x < columns; x += 1) {
    const cell = line.getCell(x)
    const shown = cell.getChars() || ' '
    const style = styleOf(cell)
    const last = runs.at(-1)
    if (last && last[2] === style && last[0] + last[1].length === x) last[1] += shown
    else runs.push([x, shown, style])
  }
  return runs.map(([x, shown, style]) => [x, shown.trimEnd(), style]).filter(([, shown]) => shown !== '')
}

function styleOf(cell) {
  const colour = cell.isFgPalette() ? `c${cell.getFgColor() % 8}` : ''
  return [colour, cell.isBold() ? 'b' : '', cell.isDim() ? 'd' : ''].filter((one) => one !== '').join(' ')
}
