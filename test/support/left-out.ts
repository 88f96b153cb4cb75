import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { runsBrowserTests } from '../e2e/support/chromium.ts'

/** Says at the end of a run, where no Chromium is found, how many browser tests were left out and how to get them. */
export default class LeftOut implements Reporter {
  #vitest: Vitest | undefined

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (runsBrowserTests(process.env)) return
    // A test that a name pattern leaves out is skipped too.
    const pattern = this.#vitest?.config.testNamePattern
    const skipped = modules.flatMap((one) => [...one.children.allTests('skipped')])
    const count = skipped.filter(({ fullName }) => pattern?.test(fullName) ?? true).length
    if (count > 0)
      this.#vitest?.logger.log(
        `${count} browser ${count === 1 ? 'test was' : 'tests were'} left out: no Chromium found. ` +
          'To run them: apt-get install chromium, or set CHROMIUM to its path.\n',
      )
  }
}
