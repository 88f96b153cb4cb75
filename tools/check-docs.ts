import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { constantsOf } from './constants.ts'
import { checkFigures } from './figure-markers.ts'
import { staleMigrations } from './latest-migrations.ts'
import { voiceFaults } from './lint/voice.ts'
import { checkSecurity } from './security-tests.ts'

const FOLDERS = 'src|client|test|docs|tools|bench|migrations|\\.ci'
const ROOT_FILES =
  'package\\.json|wrangler\\.toml|LICENSE|[A-Z]+\\.md|[a-z]+\\.config\\.ts|tsconfig[.\\w]*\\.json|knip\\.json'
const PATH = new RegExp(`\`((?:(?:${FOLDERS})/[\\w./{},*-]*)|${ROOT_FILES})\``, 'g')
const FILE = /`([\w-]+(?:\.[\w-]+)*\.(?:tsx?|mjs|sql))`/g
/** A name that only code has: a function, or a constant of several words. */
const NAME = /`([a-z]+[A-Z]\w*|[A-Z]+(?:_[A-Z0-9]+)+|[A-Z][a-z]+(?:[A-Z][a-z]+)+)(?:\([^`]*\))?`/g
const SCRIPT = /\bnpm (?:run ([\w:-]+)|(start|test)\b)/g
const LINK = /\]\((?!https?:|mailto:)([^)\s#]*)(?:#([^)\s]+))?\)/g
const SECTION = /\b(contract|architecture) §(\d+)/g
/** What no user reads. */
const FOR_AUTHORS = ['CHANGELOG.md', 'docs/decisions.md']
/** Code, in a fence or in a line, and where a link leads. */
const NO_PROSE = /(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)|(?<=\])\([^)\s]*\)/g

/** What README and docs say about the tree that is not so: one line a fault. */
export function checkDocs(root: string): string[] {
  const documents = globSync(['*.md', '{docs,client,client/python}/*.md', '{examples,.github}/**/*.md'], {
    cwd: root,
  }).sort()
  const scripts = Object.keys(JSON.parse(read(root, 'package.json')).scripts)
  const files = globSync(['*.*', '{src,client,test,tools,bench,migrations,.ci}/**/*.*'], { cwd: root })
  const code = files.filter((file) => /\.(tsx?|py)$/.test(file)).map((file) => read(root, file))
  const constants = constantsOf(root)
  const names = new Set(code.flatMap((text) => text.match(/\w+/g) ?? []))
  return [
    ...documents.flatMap((name) => {
      const text = read(root, name)
      return [
        ...absentPaths(root, text),
        ...absentFiles(files, text),
        ...absentNames(names, text),
        ...absentScripts(scripts, text),
        ...deadLinks(root, name, text),
        ...(FOR_AUTHORS.includes(name) ? [] : wrongWords(text)),
      ].map((fault) => `${name}: ${fault}`)
    }),
    ...globSync('{src,client,test,bench}/**/*.{ts,tsx}', { cwd: root, exclude: ['test/tools/**'] }).flatMap((name) =>
      absentPaths(root, read(root, name)).map((fault) => `${name}: ${fault}`),
    ),
    ...undocumentedTables(root),
    ...staleMigrations(root),
    ...absentSections(root),
    ...checkSecurity(root),
    ...documents
      .filter((name) => name === 'README.md' || name.startsWith('docs/'))
      .flatMap((name) => checkFigures(constants, name, read(root, name))),
  ]
}

/** An absent document is an empty one, so that what should stand in it is reported. */
const read = (root: string, name: string): string =>
  existsSync(join(root, name)) ? readFileSync(join(root, name), 'utf8') : ''

const absentPaths = (root: string, text: string): string[] =>
  [...text.matchAll(PATH)]
    .map(([, path = '']) => path)
    .filter((path) => globSync(path, { cwd: root }).length === 0)
    .map((path) => `no such path: ${path}`)

/** A file that is named without its folder must be the only one of its name; `index.ts` and `table.ts` are kinds of files. */
const absentFiles = (files: string[], text: string): string[] =>
  [...text.matchAll(FILE)]
    .map(([, name = '']) => name)
    .filter((name) => !['index.ts', 'table.ts'].includes(name))
    .filter((name) => files.filter((file) => basename(file) === name).length !== 1)
    .map((name) => `no such file, or several: ${name}`)

const absentNames = (names: Set<string>, text: string): string[] =>
  [...text.matchAll(NAME)]
    .map(([, name = '']) => name)
    .filter((name) => !names.has(name))
    .map((name) => `no such name in the code: ${name}`)

const absentScripts = (scripts: string[], text: string): string[] =>
  [...text.matchAll(SCRIPT)]
    .map(([, named, short]) => named ?? short ?? '')
    .filter((script) => !scripts.includes(script))
    .map((script) => `no such script: npm run ${script}`)

/** A page of the repository's host, which is no file. */
const isPageOfHost = (path: string): boolean => path.startsWith('../../actions/workflows/')

function deadLinks(root: string, name: string, text: string): string[] {
  return [...text.matchAll(LINK)].flatMap(([, path = '', anchor]) => {
    if (isPageOfHost(path)) return []
    const target = path === '' ? name : join(dirname(name), path)
    if (!existsSync(join(root, target))) return [`dead link: ${path}`]
    if (anchor === undefined || !target.endsWith('.md')) return []
    return headings(read(root, target)).includes(anchor) ? [] : [`dead link: ${path}#${anchor}`]
  })
}

/** Wordings of prose that `tools/lint/voice.ts` refuses, with the first line of their paragraph or list item. */
function wrongWords(text: string): string[] {
  const prose = text.replaceAll(NO_PROSE, (hidden) => hidden.replaceAll(/[^\n]/g, '`'))
  return [...prose.matchAll(/.+(?:\n(?! *(?:[-|]|\d+\.) ).+)*/g)].flatMap(({ index, 0: paragraph }) =>
    voiceFaults(paragraph).map((fault) => `line ${prose.slice(0, index).split('\n').length}: ${fault}`),
  )
}

/** The anchors that GitHub gives to a document's headings. */
const headings = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )

/** Each table and each index of the schema stands in docs/storage.md. */
function undocumentedTables(root: string): string[] {
  const storage = read(root, 'docs/storage.md')
  const migrations = globSync('migrations/*/*.sql', { cwd: root }).map((path) => read(root, path))
  const made = /create (?:virtual )?(?:table|(?:unique )?index) (?:if not exists )?[`"]?(\w+)[`"]?/gi
  return migrations
    .flatMap((sql) => [...sql.matchAll(made)].map(([, name = '']) => name))
    .filter((name) => !new RegExp(`\\b${name}\\b`).test(storage))
    .map((name) => `docs/storage.md: does not name ${name}`)
}

/** Comments cite the contract and the architecture by section. */
function absentSections(root: string): string[] {
  const cited = new Set<string>()
  for (const file of globSync('{src,client,test,bench,tools}/**/*.{ts,tsx}', { cwd: root })) {
    for (const [, document = '', section = ''] of read(root, file).matchAll(SECTION))
      cited.add(`${document} ${section}`)
  }
  return [...cited].flatMap((citation) => {
    const [document = '', section = ''] = citation.split(' ')
    const path = `docs/${document}.md`
    if (!existsSync(join(root, path))) return [`${path} is cited and absent`]
    return new RegExp(`^## ${section}\\. `, 'm').test(read(root, path)) ? [] : [`${path}: no section ${section}`]
  })
}

if (import.meta.main) {
  const faults = checkDocs(join(import.meta.dirname, '..'))
  for (const fault of faults) console.log(fault)
  process.exitCode = faults.length === 0 ? 0 : 1
}
