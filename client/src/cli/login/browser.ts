import { spawn } from 'node:child_process'
import type { Io } from '../io.ts'

/** The command that opens an address; `BROWSER` names another one. */
function opener(env: NodeJS.ProcessEnv): [string, ...string[]] {
  if (env['BROWSER']) return [env['BROWSER']]
  if (process.platform === 'darwin') return ['open']
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return ['xdg-open']
}

/** Opens a page in the browser of the person. False where there is none, as on a server. */
export function openBrowser(io: Pick<Io, 'env'>, url: string): Promise<boolean> {
  const [command, ...args] = opener(io.env)
  return new Promise((resolve) => {
    const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
