import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  furnishedArguments,
  isFurnished,
  markFurnished,
  readFurnished,
  startReceiver,
} from '../../tools/furnished/local-data.ts'

function newState(): string {
  const state = mkdtempSync(join(tmpdir(), 'recollect-furnished-'))
  onTestFinished(() => rmSync(state, { recursive: true, force: true }))
  return state
}

test('--furnished is taken from the arguments, and its own come before those of the command line', () => {
  expect(readFurnished(['--port', '0', '--furnished'])).toEqual({ furnished: true, rest: ['--port', '0'] })
  expect(readFurnished(['--port', '0'])).toEqual({ furnished: false, rest: ['--port', '0'] })
  expect(furnishedArguments('/tmp/a')).toEqual(['--var', 'LIMITS_FACTOR:100', '--persist-to', '/tmp/a'])
  expect(furnishedArguments(undefined)).not.toContain('--persist-to')
})

test('data is furnished once, and other data is refused', () => {
  const state = newState()
  expect(isFurnished(state)).toBe(false)
  mkdirSync(join(state, 'v3'))
  expect(() => isFurnished(state)).toThrow(`${state} has data that no start with --furnished has completed. Delete it`)
  markFurnished(state, 4_711)
  expect(isFurnished(state)).toBe(true)
})

test('the receiver accepts webhooks at the port that the data remembers, and says where another program has it', async () => {
  const state = newState()
  const { url, port } = await startReceiver(state)
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(204)
  markFurnished(state, port)
  const error = vi.spyOn(console, 'error').mockReturnValue()
  onTestFinished(() => error.mockRestore())
  expect(await startReceiver(state)).toEqual({ url, port })
  expect(error.mock.lastCall?.[0]).toContain('Nothing receives the webhooks of the furnished account: ')
})
