import { styleText } from 'node:util'
import type { Io, Output } from '../io.ts'

type Style = 'bold' | 'dim' | 'green' | 'yellow' | 'red' | 'cyan'

export type Paint = (style: Style, text: string) => string

/**
 * Colours on a terminal alone. `NO_COLOR` (no-color.org), `TERM=dumb` and `--no-color` turn them off.
 */
export function paintFor(io: Io, output: Output, wanted = true): Paint {
  const { NO_COLOR, TERM } = io.env
  const on = wanted && output.isTTY === true && (NO_COLOR ?? '') === '' && TERM !== 'dumb'
  return (style, text) => (on ? styleText(style, text, { validateStream: false }) : text)
}
