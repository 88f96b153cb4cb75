import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What people read, and what the service prints. */
const SHOWN = [
  '*.md',
  '{docs,examples,.github}/**/*.md',
  'client/**/*.md',
  'src/**/*.{ts,tsx}',
  'client/src/**/*.ts',
  'client/python/src/**/*.py',
  'examples/**/*.{ts,py}',
]
const EXCLUDED = ['**/node_modules/**']

/** An index beside the usual one: pip takes the highest version of all, so the package of a stranger would win. */
const OTHER_INDEX = /--(?:extra-)?index-url|\bPIP_(?:EXTRA_)?INDEX_URL|\bpip3?\s+install\b[^\n`]*\s-i\s/
/** The name alone is nobody's yet on the registries. `recollect @ https://…` and a path are an address. */
const BARE_INSTALL =
  /\b(?:pip3?|pipx|uv|poetry|pdm|npm|pnpm|yarn|bun|deno)\s+(?:pip\s+)?(?:install|add|i)\s+(?:[^\s;&|`#]+\s+)*?(?<!--workspace )["']?(?:npm:)?recollect(?:\[[\w,]*\])?["']?(?![\w./@[-]|\s*@)/
const RUN = /\b(?:npx|bunx|npm exec|pnpm dlx|yarn dlx|uvx|pipx run)\s+(?:-{1,2}[\w-]*\s+)*recollect\b/
/** An install of the package by its address or its path. */
const INSTALLED = /\b(?:npm|pip)\s+install\b[^\n]*(?:\/client\/recollect-|dist\/client|dist\/recollect-|client\/python)/

/** Lines that would install or run what a stranger publishes under our name: one line a fault. */
export function checkInstallLines(root: string): string[] {
  const files = globSync(SHOWN, { cwd: root, exclude: EXCLUDED }).sort()
  return files.flatMap((file) => faultsOf(readFileSync(join(root, file), 'utf8')).map((fault) => `${file}: ${fault}`))
}

export function faultsOf(text: string): string[] {
  let isInstalled = false
  return text.split('\n').flatMap((line, n) => {
    isInstalled ||= INSTALLED.test(line)
    const at = `line ${n + 1}`
    if (OTHER_INDEX.test(line)) return [`${at} names another index, from which a stranger's package would be installed`]
    if (BARE_INSTALL.test(line)) return [`${at} installs recollect by its name, which is not ours on a registry`]
    return RUN.test(line) && !isInstalled ? [`${at} runs recollect, which nothing before it installed`] : []
  })
}
