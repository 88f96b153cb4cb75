import { execFileSync, spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { bashCompletion } from '../../../src/cli/completion/bash.ts'
import { fishCompletion } from '../../../src/cli/completion/fish.ts'
import { flatten, treeOf } from '../../../src/cli/completion/tree.ts'
import { zshCompletion } from '../../../src/cli/completion/zsh.ts'
import { Context } from '../../../src/cli/commands/context.ts'
import { programOf } from '../../../src/cli/program.ts'
import { hasFish, hasZsh } from '../../../../test/support/shells.ts'
import { testIo } from '../support/io.ts'
import { completedByZsh, offeredByBash, offeredByFish } from '../support/shells.ts'

const tree = () => treeOf(programOf(new Context(testIo().io), '1.0.0'))

/** What stands on the line, and what its last word may become. */
const COMPLETED: [words: string[], offered: string[]][] = [
  [['se'], ['search']],
  [
    ['keys', 'r'],
    ['rotate', 'revoke'],
  ],
  [['keys', 'ro'], ['rotate']],
  [
    ['search', '--mode', ''],
    ['hybrid', 'semantic', 'keyword'],
  ],
  [['search', '--mode', 'k'], ['keyword']],
  [['search', 'tea', '--thr'], ['--threshold']],
  [['--url', 'https://a.example', 'wh'], ['whoami']],
  [['import', '--from', 's'], ['supermemory']],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  [['login', '--key'], ['--key-stdin']],
  [['keys', 'create', '--js'], ['--json']],
  // A word of the text is no command, and a command has its own options alone.
  [['search', 'keys', '--mod'], ['--mode']],
  [['search', 'keys', '--environ'], []],
  [['keys', 'list', '--names'], []],
  [['list', '--names'], ['--namespace']],
]

describe('bash', () => {
  test.each(COMPLETED)('%j', (words, expected) => {
    const offered = offeredByBash(bashCompletion(tree()), words)
    // The choices of an argument stand beside the options of its command.
    expect(offered.filter((word) => words.at(-1) !== '' || !word.startsWith('-'))).toEqual(expected)
  })

  test('a value without choices is completed by files', () => {
    const script = bashCompletion(tree())
    expect(offeredByBash(script, ['export', '--output', '/etc/host'])).toContain('/etc/hosts')
    expect(offeredByBash(script, ['import', '/etc/host'])).toContain('/etc/hosts')
  })
})

describe.runIf(hasFish)('fish', () => {
  test.each(COMPLETED)('%j', (words, expected) => {
    expect(offeredByFish(fishCompletion(tree()), words, testIo().home).sort()).toEqual([...expected].sort())
  })

  test('a value without choices is completed by files', () => {
    const script = fishCompletion(tree())
    expect(offeredByFish(script, ['export', '--output', '/etc/host'], testIo().home)).toContain('/etc/hosts')
    expect(offeredByFish(script, ['import', '/etc/host'], testIo().home)).toContain('/etc/hosts')
  })
})

test.runIf(hasZsh)('zsh completes what has one way to go on, and files', { timeout: 60_000 }, async () => {
  const unique = COMPLETED.filter(([, expected]) => expected.length < 2)
  const lines = [...unique.map(([words]) => words), ['export', '--output', 'completion.z'], ['import', 'completion.z']]
  const completed = await completedByZsh(zshCompletion(tree()), lines, testIo().home)
  expect(completed).toEqual([
    ...unique.map(([words, [one]]) => [...words.slice(0, -1), one ?? words.at(-1)].join(' ')),
    'export --output completion.zsh',
    'import completion.zsh',
  ])
})

test('each shell knows every command and every option', () => {
  const root = tree()
  for (const { path, node } of flatten(root)) {
    for (const text of [bashCompletion(root), zshCompletion(root), fishCompletion(root)]) {
      for (const word of path) expect(text).toContain(word)
      for (const { names } of node.options)
        for (const name of names) expect(text).toContain(text.includes('complete -c') ? name.replace(/^--?/, '') : name)
    }
  }
})

// Neither shell is on every machine. What these scripts use of the grammar, bash shares.
test('zsh can read its completion', () => {
  const { status, stderr } = spawnSync('bash', ['-n'], { input: zshCompletion(tree()), encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
})

test('fish can read its completion: one command a line, each of options that fish has', () => {
  const lines = fishCompletion(tree())
    .split('\n')
    .filter((line) => line.startsWith('complete '))
  const script = lines.map((line) => `printf '%s\\n' ${line}; echo`).join('\n')
  const read = execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trimEnd().split('\n\n')
  expect(read.length).toBe(lines.length)
  expect(lines.length).toBeGreaterThan(100)
  for (const [complete, c, name, ...options] of read.map((words) => words.split('\n'))) {
    expect([complete, c, name]).toEqual(['complete', '-c', 'recollect'])
    // Flags stand alone, the others before a value.
    expect(options.join('\n')).toMatch(/^(?:(?:-[fxr]|-[nadls]\n[^-\n].*)(?:\n|$))+$/)
  }
})
