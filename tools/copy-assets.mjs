// Runs before every bundle (`[build]` in wrangler.toml): puts the renderer of the API reference beside our own assets.
import { copyFileSync, existsSync, statSync } from 'node:fs'

const from = 'node_modules/@scalar/api-reference/dist/browser/standalone.js'
const to = 'src/portal/static/assets/scalar.js'

// Written only where it differs, as wrangler watches the folder.
if (!existsSync(to) || statSync(to).size !== statSync(from).size) copyFileSync(from, to)
