import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ADDRESS = 'https://recollect.example/mcp'
const DOCUMENT = readFileSync(join(import.meta.dirname, '../../../docs/mcp.md'), 'utf8')

/** The arguments of the command that adds the server to a program, as docs/mcp.md has it. */
export function addCommand(bin: string, url: string): string[] {
  const line = new RegExp(`^${bin} (mcp add .*)$`, 'm').exec(DOCUMENT)?.[1]
  if (line === undefined) throw new Error(`docs/mcp.md adds the server to ${bin} by no command`)
  return line.replace(ADDRESS, url).split(' ')
}

/** The first JSON behind some words of docs/mcp.md, with a key in the headers of the server that is under `list`. */
export function configOf(words: string, list: string, url: string, key: string): string {
  const [, text = ''] = /```json\n([^]*?)```/.exec(DOCUMENT.slice(DOCUMENT.indexOf(words))) ?? []
  const config = JSON.parse(text.replace(ADDRESS, url)) as Record<string, { recollect: object }>
  const server = { ...config[list]?.recollect, headers: { Authorization: `Bearer ${key}` } }
  return JSON.stringify({ ...config, [list]: { recollect: server } })
}
