import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { onTestFinished } from 'vitest'
import type { Io, Output } from '../../../src/cli/io.ts'

export const NOW = Date.parse('2026-11-22T12:00:00.000Z')

interface Setting {
  env?: Record<string, string>
  stdin?: string
  /** Whether standard output and error are a terminal. */
  terminal?: boolean
  columns?: number
}

function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'recollect-cli-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  return home
}

/** A process of a test: folders of its own, streams that are kept, a clock that stands still. */
export function testIo({ env = {}, stdin = '', terminal = false, columns = 80 }: Setting = {}) {
  const home = env['HOME'] ?? newHome()
  const output = (): [Output, () => string] => {
    const stream: Output = new PassThrough()
    if (terminal) Object.assign(stream, { isTTY: true, columns })
    let text = ''
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
    return [stream, () => text]
  }
  const [stdout, out] = output()
  const [stderr, err] = output()
  const input = new PassThrough()
  input.end(stdin)
  const interrupt = new AbortController()
  const clock = { now: NOW }
  const io: Io = {
    env: { HOME: home, ...env },
    stdin: input,
    stdout,
    stderr,
    interrupted: interrupt.signal,
    now: () => clock.now,
    // Time passes by waiting alone.
    sleep: async (ms) => {
      clock.now += ms
      await new Promise((resolve) => setImmediate(resolve))
    },
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
  }
  return { io, home, clock, interrupt, out, err }
}
