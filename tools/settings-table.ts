// The settings of the service where people read them: the table of docs/operations.md and the Deploy to Cloudflare button.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Setting } from '../src/settings/setting.ts'
import { SETTINGS } from '../src/settings/table.ts'

type Rewrite = (text: string) => string

const NOTES: Record<Setting['kind'], string> = { variable: '', secret: ', a secret', local: ', locally' }

/** The document with the table of all settings below its heading. */
export const withSettings: Rewrite = (text) => {
  const rows = Object.entries<Setting>(SETTINGS).map(([name, one]) => [
    `\`${name}\`${NOTES[one.kind]}`,
    one.default,
    one.description,
  ])
  return text.replace(/^(### Variables\n\n)(?:\|.*\n)+/m, (_, heading: string) => heading + table(rows))
}

/** `package.json` with the descriptions of the variables that the button asks for. */
export const withBindings: Rewrite = (text) =>
  text.replaceAll(/^( +"([A-Z_]+)": \{\n +"description": )".*"$/gm, (whole, head: string, name: string) => {
    const one = Object.entries<Setting>(SETTINGS).find(([other]) => other === name)?.[1]
    return one ? head + JSON.stringify(one.description) : whole
  })

function table(rows: readonly string[][]): string {
  const all = [['variable', 'default', 'meaning'], ...rows]
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |\n`
  const [head = [], ...body] = all
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('')
}

const FILES: Record<string, Rewrite> = { 'docs/operations.md': withSettings, 'package.json': withBindings }

/** The files that say something else than the settings. */
export const staleSettings = (root: string): string[] =>
  Object.entries(FILES).flatMap(([file, rewrite]) => {
    const text = readFileSync(join(root, file), 'utf8')
    return rewrite(text) === text ? [] : [file]
  })

export function writeSettings(root: string): void {
  for (const [file, rewrite] of Object.entries(FILES))
    writeFileSync(join(root, file), rewrite(readFileSync(join(root, file), 'utf8')))
}
