import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** The browser that `CHROMIUM` names, or the first that is in the `PATH`. */
export function findChromium({ CHROMIUM, PATH = '' }: NodeJS.ProcessEnv): string | undefined {
  const folders = PATH.split(delimiter).filter((folder) => folder !== '')
  const candidates = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)))
  return [...(CHROMIUM ? [CHROMIUM] : []), ...candidates].find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Whether browser tests run. Under CI they always run, and fail without a browser. */
export const runsBrowserTests = (env: NodeJS.ProcessEnv): boolean =>
  findChromium(env) !== undefined || Boolean(env['CI'])
