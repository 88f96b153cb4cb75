/** What a terminal shows at a time: for each line its runs of column, text and style (tools/terminal-frames/frames.mjs). */
export interface Frame {
  at: number
  lines: [column: number, text: string, style: string][][]
}

const CELL = 8.4
const LINE = 19
const EDGE = 16
/** How long the last frame stays before the recording starts over. */
const REST_MS = 4_000

const STYLE = `text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#d8dee9;white-space:pre}
.b{font-weight:700}.d{fill:#8b95a7}.c1{fill:#ef8a8a}.c2{fill:#8fd19e}.c3{fill:#e6c07b}.c4{fill:#8ab4f8}.c5{fill:#d3a6f0}.c6{fill:#7fd1d8}`

/** An animated picture without a script. Each frame stands below the one before, and the animation moves from one to the next. */
export function svgOf(frames: readonly Frame[], { columns, rows }: { columns: number; rows: number }): string {
  const [width, height] = [Math.ceil(columns * CELL) + 2 * EDGE, rows * LINE + 2 * EDGE]
  const ends = (frames.at(-1)?.at ?? 0) + REST_MS
  const ids = new Map<string, string>()
  const screens = frames.map(({ lines }, n) => {
    const used = lines.flatMap((runs, y) => {
      const drawn = runs.map(drawRun).join('')
      if (drawn === '') return []
      if (!ids.has(drawn)) ids.set(drawn, `l${ids.size}`)
      return [`<use href="#${ids.get(drawn)}" y="${n * height + EDGE + (y + 1) * LINE - 5}"/>`]
    })
    return used.join('')
  })
  const steps = frames.map(({ at }, n) => `${((at / ends) * 100).toFixed(2)}%{transform:translateY(-${n * height}px)}`)
  const last = (frames.length - 1) * height
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>The first minutes with Recollect, recorded in a terminal</title>
<style>${STYLE}
.play{animation:play ${(ends / 1_000).toFixed(1)}s steps(1,end) infinite}
@keyframes play{${steps.join('')}100%{transform:translateY(-${last}px)}}
@media (prefers-reduced-motion: reduce){.play{animation:none;transform:translateY(-${last}px)}}</style>
<defs>${[...ids].map(([drawn, id]) => `<text id="${id}">${drawn}</text>`).join('\n')}</defs>
<rect width="100%" height="100%" rx="10" fill="#1b2130"/>
<g class="play">${screens.join('\n')}</g>
</svg>
`
}

/** Each run has its own place, so that the width of a font adds up to nothing. */
function drawRun([column, text, style]: Frame['lines'][number][number]): string {
  const named = style === '' ? '' : ` class="${style}"`
  return `<tspan x="${(EDGE + column * CELL).toFixed(1)}"${named}>${escaped(text)}</tspan>`
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
