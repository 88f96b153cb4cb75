// `npm run check`: every check of the code except its tests, in about a minute.
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { inParallel } from '../src/core/values/in-parallel.ts'
import { checkDocs } from './check-docs.ts'
import { checkOpenApi } from './check-openapi.ts'
import { checkReleases } from './client/releases.ts'
import { checkInstallLines } from './install-lines.ts'
import { pythonEnvironment } from './python/environment.ts'
import { ROOT, runWrangler } from './wrangler.ts'

interface StepResult {
  ok: boolean
  /** Shown if the step fails. */
  output: string
  /** Always shown. */
  note?: string
}

const steps: [string, () => Promise<StepResult>][] = [
  ['format', () => run('oxfmt', '--check', '.')],
  ['lint', () => run('oxlint', '--type-aware', '--deny-warnings')],
  ['types of the Worker', () => run('tsc', '-p', '.')],
  ['types of the tools', () => run('tsc', '-p', 'tsconfig.tools.json')],
  ['types of the Python client', typesOfPython],
  ['unused code and packages', () => run('knip', '--no-progress')],
  ['types of the bindings', () => run('npm', 'run', '--silent', 'types', '--', '--check')],
  ['migrations', migrationsAreComplete],
  ['compiled WebAssembly', wasmIsCurrent],
  ['documents', async () => ofFaults([...checkDocs(ROOT), ...checkInstallLines(ROOT)])],
  ['released packages', async () => ofFaults(checkReleases())],
  ['generated clients', async () => ofFaults(checkOpenApi(ROOT))],
  ['generated documents', () => run('node', 'tools/docs.ts', '--check')],
  ['deployment', bundle],
]

/** The oldest Python that the client promises, and the newest. */
const PYTHON_VERSIONS = ['3.11', '3.14']

/** Some steps keep one core busy, and others two. */
const STEPS_AT_ONCE = 2

let failed = 0
await inParallel(STEPS_AT_ONCE, steps, async ([name, step]) => {
  const startedAt = performance.now()
  const { ok, output, note } = await step()
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
  console.log(`${ok ? '✓' : '✗'} ${name.padEnd(26)} ${seconds.padStart(5)} s${note === undefined ? '' : `   ${note}`}`)
  if (!ok) {
    failed += 1
    console.log(output.trimEnd())
  }
})
console.log(failed === 0 ? 'All checks passed.' : `${failed} of ${steps.length} checks failed.`)
process.exitCode = failed === 0 ? 0 : 1

/** Runs a command of node_modules/.bin, which `npm run` puts first in the PATH. */
function run(command: string, ...args: string[]): Promise<StepResult> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        WRANGLER_SEND_METRICS: 'false',
        WRANGLER_HIDE_BANNER: 'true',
        // knip loads vitest.config.ts and all of wrangler behind it. Its loader would first send each module through Babel.
        JITI_TRY_NATIVE: 'true',
      },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)))
    child.on('error', (error) => resolve({ ok: false, output: String(error) }))
    child.on('close', (code) => resolve({ ok: code === 0, output }))
  })
}

function ofFaults(faults: string[]): StepResult {
  return { ok: faults.length === 0, output: faults.join('\n') }
}

/** Is left out where there is no Python, or no network to make the environment. */
async function typesOfPython(): Promise<StepResult> {
  let python: string
  try {
    python = (await pythonEnvironment()).python
  } catch (error) {
    const [reason = ''] = String(error).split('\n')
    return { ok: true, output: '', note: `left out, without Python 3.11 or the network: ${reason}` }
  }
  const results: StepResult[] = []
  for (const version of PYTHON_VERSIONS)
    results.push(await run('pyright', '-p', 'client/python', '--pythonpath', python, '--pythonversion', version))
  return { ok: results.every(({ ok }) => ok), output: results.map(({ output }) => output).join('\n') }
}

/** Lets Drizzle write a migration into a copy: it must find nothing to write. */
async function migrationsAreComplete(): Promise<StepResult> {
  const copy = mkdtempSync(join(tmpdir(), 'recollect-migrations-'))
  try {
    cpSync(join(ROOT, 'migrations/main'), copy, { recursive: true })
    const before = readdirSync(copy).length
    const generated = await run(
      'drizzle-kit',
      'generate',
      '--dialect=sqlite',
      '--schema=./src/**/table.ts',
      `--out=${relative(ROOT, copy)}`,
      '--name=check',
    )
    const complete = generated.ok && readdirSync(copy).length === before
    return { ok: complete, output: complete ? '' : `The tables changed. Run: npm run db:generate\n${generated.output}` }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

/** Compiles the kernel: the result must equal the file beside the source. */
async function wasmIsCurrent(): Promise<StepResult> {
  const out = mkdtempSync(join(tmpdir(), 'recollect-wasm-'))
  try {
    const file = join(out, 'kernel.wasm')
    const { ok, output } = await run('npm', 'run', '--silent', 'wasm', '--', '--outFile', file)
    if (!ok) return { ok, output }
    const current = readFileSync(file).equals(
      readFileSync(join(ROOT, 'src/backends/project-vectors/kernel/kernel.wasm')),
    )
    return { ok: current, output: current ? '' : 'The kernel changed. Run: npm run wasm' }
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}

/** Bundles what `wrangler deploy` would upload, and reports its size. */
async function bundle(): Promise<StepResult> {
  const out = mkdtempSync(join(tmpdir(), 'recollect-bundle-'))
  try {
    const output = await runWrangler(['deploy', '--dry-run', '--outdir', out])
    const size = /Total Upload: .*/.exec(output)?.[0]
    return { ok: existsSync(join(out, 'index.js')), output, note: size ?? 'size unknown' }
  } catch (error) {
    return { ok: false, output: String(error) }
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}
