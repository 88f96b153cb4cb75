import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../wrangler.ts'
import { zip, type Entry } from './archives.ts'
import { posix, pythonProject, type PythonProject } from './packages.ts'

const HOME = join(ROOT, 'client/python')
const SOURCES = join(HOME, 'src')

/** The wheel of the Python package, as its `pyproject.toml` describes it. It is written without Python. */
export function wheel(version: string): Buffer {
  const project = pythonProject(ROOT)
  const info = `${project.name}-${version}.dist-info`
  const files: Entry[] = globSync('**/{*.py,py.typed}', { cwd: SOURCES })
    .map(posix)
    .sort()
    .map((path) => ({ path, content: readFileSync(join(SOURCES, path)) }))
  const about: Entry[] = [
    { path: `${info}/METADATA`, content: Buffer.from(metadata(project, version)) },
    { path: `${info}/WHEEL`, content: Buffer.from(WHEEL) },
    { path: `${info}/licenses/LICENSE`, content: readFileSync(join(HOME, 'LICENSE')) },
  ]
  const recorded = [...files, ...about]
  const lines = [...recorded.map(record), `${info}/RECORD,,\n`]
  return zip([...recorded, { path: `${info}/RECORD`, content: Buffer.from(lines.join('')) }])
}

const WHEEL = ['Wheel-Version: 1.0', 'Generator: recollect', 'Root-Is-Purelib: true', 'Tag: py3-none-any', ''].join(
  '\n',
)

/** The core metadata of the Python packaging specifications, version 2.4. */
function metadata(project: PythonProject, version: string): string {
  const extras = Object.entries(project['optional-dependencies']).flatMap(([extra, requirements]) => [
    `Provides-Extra: ${extra}`,
    ...requirements.map((requirement) => `Requires-Dist: ${requirement}; extra == '${extra}'`),
  ])
  return [
    'Metadata-Version: 2.4',
    `Name: ${project.name}`,
    `Version: ${version}`,
    `Summary: ${project.description}`,
    `License-Expression: ${project.license}`,
    'License-File: LICENSE',
    `Requires-Python: ${project['requires-python']}`,
    ...project.dependencies.map((requirement) => `Requires-Dist: ${requirement}`),
    ...extras,
    'Description-Content-Type: text/markdown',
    '',
    readFileSync(join(HOME, project.readme), 'utf8'),
  ].join('\n')
}

/** A line of RECORD: path, hash and size. */
function record({ path, content }: Entry): string {
  const digest = createHash('sha256').update(content).digest('base64url')
  return `${path},sha256=${digest},${content.length}\n`
}
