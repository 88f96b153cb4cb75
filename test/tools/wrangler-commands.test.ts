import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { experimental_getWranglerCommands } from 'wrangler'
import { backup } from '../../tools/backup.ts'
import { ROOT } from '../../tools/wrangler.ts'

/** The wrangler commands in README and docs, as arguments. */
function documentedCommands(): string[][] {
  const documents = ['README.md', ...globSync('docs/*.md', { cwd: ROOT })]
  const text = documents.map((name) => readFileSync(join(ROOT, name), 'utf8')).join('\n')
  return [...text.matchAll(/npx wrangler ([^`\n#]+)/g)].map(([, line = '']) => line.trim().split(/\s+/))
}

/** The command of a backup; `deploy.test.ts` covers those of a deployment. */
async function exportCommand(): Promise<string[]> {
  let asked: string[] = []
  const listed = ['recollect', 'recollect-audit'].map((name) => ({ name, uuid: name }))
  const by = (args: string[]) => {
    asked = args
    return args[1] === 'list'
      ? Promise.resolve({ code: 0, stdout: JSON.stringify(listed), stderr: '' })
      : Promise.reject(new Error('asked enough'))
  }
  await expect(backup({ output: join(ROOT, 'node_modules/.cache/no-backup'), state: null, by })).rejects.toThrow(
    'enough',
  )
  expect(asked.slice(0, 2)).toEqual(['d1', 'export'])
  return asked
}

/** The flags of the command that the words begin with. Throws if the pinned wrangler has no such command. */
function flagsOf(words: readonly string[]): string[] {
  const { registry, globalFlags } = experimental_getWranglerCommands()
  let node = registry
  for (const word of words) node = node.subtree.get(word) ?? node
  if (node.definition?.type !== 'command') throw new Error(`no command: wrangler ${words.join(' ')}`)
  return [...Object.keys(node.definition.args ?? {}), ...Object.keys(globalFlags)].map((name) => `--${name}`)
}

test('every command that the documents name, and the backup, is one of the pinned wrangler, with its flags', async () => {
  const commands = [...documentedCommands(), await exportCommand()]
  expect(commands.length).toBeGreaterThan(8)
  for (const words of commands) {
    const used = words.filter((word) => word.startsWith('--')).map((word) => word.split('=')[0])
    expect(flagsOf(words), words.join(' ')).toEqual(expect.arrayContaining(used))
  }
})
