import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The numbered list of attacks that must fail, each with its tests. */
export const SECURITY = 'docs/security.md'

const CITATION = /\bsecurity (\d+(?:(?:, | and )\d+)*)/gi
/** A line with the citation in a string, as in a test's name, and not in a comment. */
const IN_A_NAME = /^(?!\s*(?:\/\/|\/?\*)).*['"`].*\bsecurity \d/i
const ITEM = /^(\d+)\. /
const TESTS = /^ +Tests: /

/** Wrong citations, attacks without a test and outdated lists of tests: one line each. */
export function checkSecurity(root: string): string[] {
  if (!existsSync(join(root, SECURITY))) return [`${SECURITY} is absent`]
  const text = readFileSync(join(root, SECURITY), 'utf8')
  const numbers = text.split('\n').flatMap((line) => ITEM.exec(line)?.[1] ?? [])
  const tests = testsByNumber(root)
  return [
    ...citations(root, '{src,client,test,bench,tools}/**/*.{ts,tsx}')
      .filter(({ number }) => !numbers.includes(number))
      .map(({ file, number }) => `${file}: cites security ${number}, which ${SECURITY} does not have`),
    ...numbers.filter((number) => !tests.has(number)).map((number) => `${SECURITY}: ${number} has no test`),
    ...(withTests(root, text) === text ? [] : [`${SECURITY}: its tests are out of date: npm run docs`]),
  ]
}

/** The document with its lists of tests renewed. */
export function withTests(root: string, text: string): string {
  const tests = testsByNumber(root)
  const lines: string[] = []
  let number = ''
  const close = () => {
    const files = tests.get(number)
    const indent = ' '.repeat(number.length + 2)
    if (files !== undefined) lines.push(`${indent}Tests: ${[...files].map((file) => `\`${file}\``).join(', ')}.`)
    number = ''
  }
  for (const line of text.split('\n')) {
    if (TESTS.test(line)) continue
    if (!line.startsWith(' ')) close()
    number = ITEM.exec(line)?.[1] ?? number
    lines.push(line)
  }
  return lines.join('\n')
}

function testsByNumber(root: string): Map<string, Set<string>> {
  const tests = new Map<string, Set<string>>()
  for (const { file, number, line } of citations(root, '{test,client/test}/**/*.test.{ts,tsx}')) {
    if (IN_A_NAME.test(line)) tests.set(number, (tests.get(number) ?? new Set()).add(file))
  }
  return tests
}

const citations = (root: string, glob: string): { file: string; number: string; line: string }[] =>
  globSync(glob, { cwd: root })
    .sort()
    .flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .flatMap((line) =>
          [...line.matchAll(CITATION)].flatMap(([, list = '']) =>
            list.split(/\D+/).map((number) => ({ file, number, line })),
          ),
        ),
    )
