import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { backup } from '../../tools/backup.ts'
import { ROOT, runWrangler } from '../../tools/wrangler.ts'

/** The wrangler commands in README and docs, as arguments. */
function documentedCommands(): string[][] {
  const documents = ['README.md', ...globSync('docs/*.md', { cwd: ROOT })]
  const text = documents.map((name) => readFileSync(join(ROOT, name), 'utf8')).join('\n')
  return [...text.matchAll(/npx wrangler ([^`\n#]+)/g)].map(([, line = '']) => line.trim().split(/\s+/))
}

/** The command of a backup; `deploy.test.ts` covers those of a deployment. */
async function exportCommand(): Promise<string[]> {
  let asked: string[] = []
  const by = (args: string[]) => {
    asked = args
    return Promise.reject(new Error('asked enough'))
  }
  await expect(backup({ output: join(ROOT, 'node_modules/.cache/no-backup'), state: null, by })).rejects.toThrow(
    'enough',
  )
  return asked
}

test('every command that the documents name, and the backup, is one of the pinned wrangler, with its flags', async () => {
  const commands = [...documentedCommands(), await exportCommand()]
  expect(commands.length).toBeGreaterThan(8)
  const commandOf = (words: string[]): string =>
    words.filter((word, at) => !word.startsWith('-') && !words[at - 1]?.match(/^--(config|env|name)$/)).join(' ')
  const helped = new Map<string, Promise<string>>()
  for (const command of commands.map(commandOf))
    if (!helped.has(command)) helped.set(command, runWrangler([...command.split(' '), '--help']))
  for (const words of commands) {
    const command = commandOf(words)
    const help = (await helped.get(command)) ?? ''
    const [, usage = ''] = /^wrangler ([\w -]+)/m.exec(help) ?? []
    // The arguments up to the first flag. For an unknown command wrangler prints the help of its parent.
    expect(command.startsWith(usage.trim()), `${command}: ${usage}`).toBe(true)
    expect(help, command).not.toMatch(/^COMMANDS$/m)
    for (const flag of words.filter((word) => word.startsWith('--')).map((word) => word.split('=')[0] ?? '')) {
      expect(help, `${command} ${flag}`).toMatch(new RegExp(`(^|\\s)${flag}(\\s|$)`, 'm'))
    }
  }
})
