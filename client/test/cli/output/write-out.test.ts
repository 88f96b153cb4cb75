import { styleText } from 'node:util'
import { expect, test } from 'vitest'
import type { MemoryItem } from '../../../src/index.ts'
import { EXIT } from '../../../src/cli/exit-codes.ts'
import { exportToOutput } from '../../../src/cli/export/run-export.ts'
import { reportBrokenOutput, writeOut } from '../../../src/cli/output/write-out.ts'
import { testIo } from '../support/io.ts'

const HOSTILE = '\u009b31m\u007f\u202etxt.exe\u001b]0;title\u0007\rover'
// oxlint-disable-next-line no-control-regex -- what may not be left
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/

test('security 70: a terminal gets what it would obey in the form of JSON, and styles and lines as they are', async () => {
  const { io, out } = testIo({ terminal: true })
  await writeOut(io.stdout, `${HOSTILE}\n\t世界\n`)
  expect(out()).toBe('\\u009b31m\\u007f\\u202etxt.exe\\u001b]0;title\\u0007\\u000dover\n\t世界\n')
  const styled = styleText('bold', 'id', { validateStream: false })
  const painted = testIo({ terminal: true })
  await writeOut(painted.io.stdout, styled)
  expect(painted.out()).toBe(styled)
})

test('a file or a pipe gets the text as it is', async () => {
  const { io, out } = testIo()
  await writeOut(io.stdout, HOSTILE)
  expect(out()).toBe(HOSTILE)
})

test('security 70: an export to a terminal shows no character that it obeys, and stays JSON', async () => {
  const { io, out } = testIo({ terminal: true })
  const item = { id: 'mem_1', content: { text: HOSTILE }, created_at: new Date(io.now()).toISOString() } as MemoryItem
  const origin = {
    url: 'https://a.example',
    account: 'usr_1',
    async *export() {
      yield item
    },
  }
  await exportToOutput(io, origin, {})
  expect(out().trimEnd()).not.toMatch(OBEYED)
  expect(JSON.parse(out())).toEqual(item)
})

test('an output that is full says so; one whose reader has gone says nothing', () => {
  const full = testIo()
  const error = (code: string) => Object.assign(new Error(`${code}: no space left on device, write`), { code })
  expect(reportBrokenOutput(full.io.stderr, error('ENOSPC'))).toBe(EXIT.failure)
  expect(full.err()).toBe('recollect: Standard output cannot be written: ENOSPC: no space left on device, write\n')
  const gone = testIo()
  expect(reportBrokenOutput(gone.io.stderr, error('EPIPE'))).toBe(EXIT.ok)
  expect(gone.err()).toBe('')
})
