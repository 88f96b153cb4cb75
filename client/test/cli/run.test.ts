import { Help, type Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { Context } from '../../src/cli/commands/context.ts'
import { EXIT, exitOfStatus } from '../../src/cli/exit-codes.ts'
import { programOf } from '../../src/cli/program.ts'
import { run } from '../../src/cli/run.ts'
import { voiceFaults } from '../../../tools/lint/voice.ts'
import { testIo } from './support/io.ts'

const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)]
const commands = all(programOf(new Context(testIo({ env: { HOME: '/nowhere' } }).io), '1.0.0'))
const pathOf = (command: Command): string[] => (command.parent ? [...pathOf(command.parent), command.name()] : [])

async function ran(args: string[], setting: Parameters<typeof testIo>[0] = {}) {
  const { io, out, err } = testIo(setting)
  const code = await run(io, args, '1.2.3')
  return { code, out: out(), err: err() }
}

describe('--help', () => {
  test.each(commands.map((command) => [pathOf(command).join(' ') || 'recollect', command] as const))(
    '%s explains itself in plain English, with examples',
    async (_, command) => {
      const { code, out, err } = await ran([...pathOf(command), '--help'])
      expect([code, err]).toEqual([0, ''])
      expect(out).toContain('Usage: recollect')
      expect(out).toContain('\nExamples:\n  $ ')
      expect(out).toContain('--json')
      expect(voiceFaults(out)).toEqual([])
      for (const option of new Help().visibleOptions(command)) expect(option.description).not.toBe('')
      for (const argument of command.registeredArguments) expect(argument.description).not.toBe('')
    },
  )

  test.each(['search', 'list', 'export', 'eval', 'store'])(
    '%s offers the namespace * only if it reads',
    async (name) => {
      const { out } = await ran([name, '--help'])
      expect(/--namespace <name> +([^\n]+)/.exec(out)?.[1]?.includes('*')).toBe(name !== 'store')
    },
  )

  test('the version', async () => {
    expect(await ran(['--version'])).toEqual({ code: 0, out: '1.2.3\n', err: '' })
  })
})

describe('a usage error is exit code 2, and says how', () => {
  test.each([
    [['serach'], 'Did you mean search?'],
    [['search'], 'missing required argument'],
    [['search', 'x', '--limit', '0'], 'from 1 to 100'],
    [['search', 'x', '--limit', '1e1'], 'from 1 to 100'],
    [['search', 'x', '--threshold', 'half'], 'from 0 to 1'],
    [['search', 'x', '--mode', 'fast'], 'Allowed choices'],
    [['store', 'x', '--metadata', '[1]'], 'Must be a JSON object'],
    [['store', 'x', '--metadata', '{"id":1234567890123456789}'], 'do not keep 1234567890123456789 exactly'],
    [['store', 'x', '--ttl', '1y'], 'such as 30d'],
    [['completion', 'tcsh'], 'Allowed choices'],
    [['listen', '--channel', 'Memory'], 'lower-case letters'],
    [['listen', '--channel', 'memory,conversation'], 'lower-case letters'],
    [['listen', '--after', 'no id'], 'Must be the id of an event'],
    [['whoami'], 'No deployment is set.'],
    [['whoami', '--url', 'http://example.com'], 'not encrypted'],
    [['keys', 'create', 'x'], '--scope'],
    [['erase', '--url', 'https://a.example'], '--subject or --namespace'],
    [['erase', '-n', 'a', '-s', 'b'], 'cannot be used with'],
    [['export', '--force', '--url', 'https://a.example'], 'needs --output'],
    [['export', '--restart', '--url', 'https://a.example'], 'needs --output'],
  ])('%j', async (args, message) => {
    const { code, out, err } = await ran(args)
    expect(code).toBe(EXIT.usage)
    expect(out).toBe('')
    expect(err).toContain(message)
  })
})

test('security 71: no option takes a secret, and a refusal does not repeat one', async () => {
  const names = commands.flatMap(({ options }) =>
    options.map(({ long, required, optional }) => [long, required || optional] as const),
  )
  const taken = names.filter(([name, value]) => value && /key|secret|token\b|password/.test(name ?? ''))
  expect(taken).toEqual([])
  const { code, err } = await ran(['login', '--key', 'rck_live_secret'])
  expect(code).toBe(EXIT.usage)
  expect(err).not.toContain('rck_live_secret')
  expect((await ran(['login', '--key=rck_live_secret'])).err).not.toContain('rck_live_secret')
  const env = { RECOLLECT_URL: 'https://a.example', RECOLLECT_API_KEY: 'not a key of ours' }
  expect((await ran(['list'], { env })).err).not.toContain('not a key of ours')
})

test('without a login: exit code 3, and as JSON where that was asked for', async () => {
  const env = { RECOLLECT_URL: 'https://a.example' }
  expect(await ran(['list'], { env })).toMatchObject({ code: EXIT.unauthenticated, out: '' })
  const { err } = await ran(['list', '--json'], { env })
  expect(JSON.parse(err)).toMatchObject({ error: { message: 'You are not logged in at https://a.example.', exit: 3 } })
})

test.each([
  [400, 7],
  [401, 3],
  [403, 4],
  [404, 5],
  [408, 9],
  [409, 6],
  [412, 6],
  [413, 7],
  [415, 7],
  [422, 7],
  [429, 8],
  [500, 9],
  [503, 9],
])('an answer of %i is exit code %i', (status, exit) => {
  expect(exitOfStatus(status)).toBe(exit)
})
