import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '../../support/until.ts'
import type { Agent } from './agent.ts'
import { runProgram, type Cli } from './cli.ts'

/** What a browser does with the page that the command line opens. The person allows it. */
export async function allowLogin(cli: Cli, person: Agent): Promise<void> {
  const begun = await fetch(await cli.openedPage(), { redirect: 'manual' })
  const back = await person.approve(begun.headers.get('location') ?? '')
  const [cookie = ''] = begun.headers.getSetCookie()
  await fetch(back, { headers: { cookie: cookie.split(';', 1)[0] ?? '' } })
}

/** One turn of Claude Code, as it tells its hooks. What the hook has printed before the prompt. */
export async function turnOf(cli: Cli, cwd: string, prompt: string, answer: string): Promise<string> {
  const hook = async (hook_event_name: string, more: object) => {
    const input = { session_id: 's-1', prompt_id: 'p-1', cwd, hook_event_name, ...more }
    const program = [join(cli.home, 'recollect-hook.js'), 'claude-code']
    const { stdout } = await runProgram(program, { env: cli.env, cwd, stdin: JSON.stringify(input) })
    return stdout
  }
  const printed = await hook('UserPromptSubmit', { prompt })
  await hook('Stop', { last_assistant_message: answer })
  return printed
}

/** The same turn, as Claude Code keeps it in its transcript. */
export function transcriptOf(cwd: string, prompt: string, answer: string): string {
  const base = { isSidechain: false, sessionId: 's-1', cwd, timestamp: '2026-11-20T10:00:00.000Z' }
  return [
    { ...base, type: 'user', promptId: 'p-1', uuid: 'u-1', message: { role: 'user', content: prompt } },
    { ...base, type: 'assistant', uuid: 'u-2', message: { content: [{ type: 'text', text: answer }] } },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('')
}

/** Every turn of a repository, once so many are stored. The embedding follows later. */
export const storedTurns = (cli: Cli, namespace: string, count: number) =>
  until(async () => {
    const { stdout } = await cli.run(['export', '--namespace', namespace])
    const lines = stdout.split('\n').filter((line) => line !== '')
    if (lines.length !== count) throw new Error(`${lines.length} turns are stored:\n${stdout}`)
    return lines.map((line) => {
      const { embedding_status: _, embedding_model: __, ...turn } = JSON.parse(line) as Record<string, unknown>
      return turn
    })
  })

/** The texts of files, and of all files below folders. */
export async function filesBelow(...paths: string[]): Promise<string[]> {
  const found = paths.map(async (path) => {
    const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => null)
    const files = entries?.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
    return Promise.all((files ?? [path]).map((file) => readFile(file, 'utf8')))
  })
  return (await Promise.all(found)).flat()
}
