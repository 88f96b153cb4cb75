import { columnsOf, type Io } from '../io.ts'

const REDRAW_MS = 100
const BAR = 24
const CLEAR = '\r\u001b[2K'

export interface Progress {
  /** `done` items so far. */
  show(done: number, note?: string): void
  /** Writes a line above the bar. */
  say(line: string): void
  /** Takes the bar away. */
  end(): void
}

/**
 * A bar on standard error while that is a terminal, and nothing elsewhere. Without a `total` it counts. The rate is that
 * of this run: what an earlier run did (`from`) is in the bar and not in the rate.
 */
export function startProgress(io: Io, { total, from = 0 }: { total: number | null; from?: number }): Progress {
  const { stderr } = io
  const startedAt = io.now()
  const tty = stderr.isTTY === true
  let drawnAt = 0
  return {
    show(done, note = '') {
      if (!tty || (io.now() - drawnAt < REDRAW_MS && done !== total)) return
      drawnAt = io.now()
      const seconds = Math.max(0.001, (drawnAt - startedAt) / 1_000)
      const line = progressLine({ done, total, perSecond: Math.round((done - from) / seconds), note })
      stderr.write(`${CLEAR}${line.slice(0, columnsOf(stderr) - 1)}`)
    },
    say(line) {
      stderr.write(`${tty ? CLEAR : ''}${line}\n`)
    },
    end() {
      if (tty) stderr.write(CLEAR)
    },
  }
}

interface State {
  done: number
  total: number | null
  perSecond: number
  note: string
}

export function progressLine({ done, total, perSecond, note }: State): string {
  const pace = `${count(perSecond)}/s${note === '' ? '' : `  ${note}`}`
  if (total === null) return `${counted(done, 'item')}  ${pace}`
  const share = total === 0 ? 1 : Math.min(1, done / total)
  const filled = Math.floor(share * BAR)
  const bar = '█'.repeat(filled) + '░'.repeat(BAR - filled)
  return `${bar} ${String(Math.floor(share * 100)).padStart(3)} %  ${count(done)} of ${count(total)}  ${pace}`
}

export const count = (n: number): string => n.toLocaleString('en-US')

/** A number and its noun, such as "1 item" and "2 items". */
export const counted = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`
