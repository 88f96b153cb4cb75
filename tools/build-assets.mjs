// Runs before every bundle (`[build]` in wrangler.toml): makes the assets that are not in the repository.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ASSETS = 'src/portal/static/assets'
const STYLES = 'src/portal/styles'

/** One stylesheet, in the order of the imports, so that a page asks for one file. */
const styles = readFileSync(join(STYLES, 'index.css'), 'utf8').replaceAll(/@import '(.+)';\n/g, (_, file) =>
  readFileSync(join(STYLES, file), 'utf8'),
)

write('recollect.css', Buffer.from(styles))
write('scalar.js', readFileSync('node_modules/@scalar/api-reference/dist/browser/standalone.js'))

/** Keeps a file that is current: wrangler watches the folder. */
function write(name, content) {
  const path = join(ASSETS, name)
  if (!existsSync(path) || !readFileSync(path).equals(content)) writeFileSync(path, content)
}
