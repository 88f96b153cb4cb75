import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node'
import { runsBrowserTests } from '../e2e/support/chromium.ts'
import { canGenerateGo } from '../e2e/support/go.ts'
import { hasPython } from '../e2e/support/python.ts'
import { hasFish, hasZsh } from './shells.ts'

/** Says at the end of a run which tests were left out because Chromium, Python, Go, Java or a shell is missing, and how to get it. */
export default class LeftOut implements Reporter {
  #vitest: Vitest | undefined

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    // A test that a name pattern or a tag leaves out is skipped too.
    const { testNamePattern: pattern, tagsFilter } = this.#vitest?.config ?? {}
    const skipped = modules
      .flatMap((one) => [...one.children.allTests('skipped')])
      .filter(({ fullName, tags }) => (pattern?.test(fullName) ?? true) && (!tagsFilter || tags.length === 0))
    const python = skipped.filter(
      isIn(
        '/e2e/python.test.ts',
        '/e2e/metrics.test.ts',
        '/e2e/client-files.test.ts',
        '/tools/client-packages.test.ts',
        '/package/python-frameworks.test.ts',
        '/cases/cases.test.ts',
        '/cases/streams.test.ts',
        '/cases/helpers.test.ts',
      ),
    )
    const go = skipped.filter(isIn('/e2e/go-client.test.ts'))
    const shells = skipped.filter(isIn('/completion/completion.test.ts'))
    if (!runsBrowserTests(process.env))
      this.#say(
        skipped.length - python.length - go.length - shells.length,
        'browser',
        'no Chromium found. To run them: apt-get install chromium, or set CHROMIUM to its path.',
      )
    if (!hasPython)
      this.#say(python.length, 'Python', 'no Python from 3.11 on found. To run them: apt-get install python3-venv.')
    if (!canGenerateGo)
      this.#say(
        go.length,
        'Go',
        'Go, Java or Python is missing. To run them: apt-get install golang-go default-jre-headless python3-venv.',
      )
    if (!hasZsh || !hasFish)
      this.#say(shells.length, 'completion', 'zsh or fish is missing. To run them: apt-get install zsh fish.')
  }

  #say(count: number, kind: string, why: string): void {
    if (count > 0)
      this.#vitest?.logger.log(`${count} ${kind} ${count === 1 ? 'test was' : 'tests were'} left out: ${why}\n`)
  }
}

const isIn =
  (...files: string[]) =>
  ({ module }: TestCase): boolean =>
    files.some((file) => module.moduleId.endsWith(file))
