// Runs before every bundle (`[build]` in wrangler.toml): writes the assets that are not in the repository, which are
// the stylesheets, the renderer of the API reference, the list box of the palette, and the packages of the clients.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'

const ASSETS = 'src/portal/static/assets'
const STYLES = 'src/portal/styles'

for (const name of ['recollect.css', 'api-reference.css']) write(name, Buffer.from(stylesheet(name)))
write('scalar.js', readFileSync('node_modules/@scalar/api-reference/dist/browser/standalone.js'))
write(
  'combobox-nav.js',
  Buffer.concat([Buffer.from('/*! @github/combobox-nav, MIT, (c) GitHub, Inc. */\n'), library('@github/combobox-nav')]),
)

makeClients()

/** wrangler may run this on an older Node, which cannot read the types of the script. */
function makeClients() {
  const bin = resolve('node_modules/.bin')
  const { status } = spawnSync('node', ['tools/client/make.ts'], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` },
  })
  if (status !== 0) process.exit(status ?? 1)
}

/** The module of a package without dependencies. */
function library(name) {
  return readFileSync(join('node_modules', name, 'dist/index.js'))
}

/** Writes a file only if it differs: wrangler watches the folder. */
function write(name, content) {
  const path = join(ASSETS, name)
  if (!existsSync(path) || !readFileSync(path).equals(content)) writeFileSync(path, content)
}

/** A stylesheet with its imports in place, so that a page loads one file. */
function stylesheet(name) {
  const text = readFileSync(join(STYLES, name), 'utf8')
  return text.replaceAll(/@import '(.+)';\n/g, (_, file) => readFileSync(join(STYLES, file), 'utf8'))
}
