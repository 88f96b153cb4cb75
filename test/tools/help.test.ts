import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { voiceFaults } from '../../tools/lint/voice.ts'
import { ROOT } from '../../tools/wrangler.ts'

const run = promisify(execFile)

test.for(['start', 'deploy', 'backup', 'restore', 'directory', 'audit-index', 'erase-again', 'operator'])(
  'npm run %s -- --help does nothing but name each of its options',
  async (name) => {
    const file = join(ROOT, `tools/${name}.ts`)
    const { stdout, stderr } = await run(process.execPath, ['--no-warnings', file, '--help'], { cwd: ROOT })
    expect(stderr).toBe('')
    expect(voiceFaults(stdout)).toEqual([])
    expect(stdout).toContain(name === 'start' ? 'npm start' : `npm run ${name}`)
    const parsed = readFileSync(file, 'utf8').matchAll(/\b'?([a-z-]+)'?: \{ type: '(?:string|boolean)'/g)
    const options = [...parsed].map(([, option]) => option)
    expect(options.length).toBeGreaterThan(1)
    for (const option of options) expect(stdout).toContain(`--${option}`)
  },
)
