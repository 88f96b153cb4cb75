import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { spawn } from '@lydell/node-pty'
import { until } from '../../../../test/support/until.ts'

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '')

const quoted = (word: string): string => `'${word}'`

/** What bash offers for the last of `words`. */
export function offeredByBash(script: string, words: readonly string[]): string[] {
  const call = `${script}
COMP_WORDS=(recollect ${words.map(quoted).join(' ')}); COMP_CWORD=${words.length}; _recollect
printf '%s\\n' "\${COMPREPLY[@]}"`
  return linesOf(execFileSync('bash', ['-c', call], { encoding: 'utf8' }))
}

/** What fish offers for the last of `words`, without its descriptions. */
export function offeredByFish(script: string, words: readonly string[], home: string): string[] {
  const line = ['recollect', ...words].join(' ')
  const call = `${script}\ncomplete -C ${quoted(line)}`
  const env = { PATH: process.env['PATH'], HOME: home, LANG: 'C.UTF-8' }
  const offered = execFileSync('fish', ['--no-config', '-c', call], { encoding: 'utf8', env })
  return linesOf(offered).map((one) => one.split('\t')[0] ?? '')
}

/** The words of each line after the Tab key in an interactive zsh, which has a `recollect` that prints its arguments. */
export async function completedByZsh(script: string, lines: readonly string[][], home: string): Promise<string[]> {
  writeFileSync(join(home, 'completion.zsh'), script)
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, TERM: 'dumb', LANG: 'C.UTF-8' }
  const pty = spawn('zsh', ['-f', '-i'], { cols: 200, rows: 50, cwd: home, env })
  let output = ''
  pty.onData((chunk) => (output += chunk))
  const printed = () => Array.from(output.matchAll(/<<(.*)>>\r?\n/g), ([, words = '']) => words)
  const enter = async (line: string, count: number) => {
    pty.write(`${line}\r`)
    await until(() => {
      if (printed().length < count) throw new Error(`zsh shows:\n${output}`)
    })
  }
  try {
    await enter(
      `autoload -Uz compinit && compinit -u -D; source completion.zsh; recollect() { print -r -- "<""<$*>>" }; recollect`,
      1,
    )
    for (const [n, words] of lines.entries()) await enter(`${['recollect', ...words].join(' ')}\t`, n + 2)
  } finally {
    pty.kill('SIGKILL')
  }
  return printed().slice(1)
}
