import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Agent } from './support/agent.ts'
import { cliOf } from './support/cli.ts'
import { startServer, type Server } from './support/server.ts'

let server: Server
let agent: Agent

beforeAll(async () => {
  server = await startServer({ vars: { LIMITS_FACTOR: '20' } })
  agent = await Agent.signUp(server.url)
})
afterAll(() => server.stop())

test('store, search, list, get and delete: tables on a terminal, JSON in a pipe', async () => {
  const cli = await cliOf(agent)
  const stored = JSON.parse(
    (await cli.run(['store', '--tag', 'cli', '--wait', '10000'], { stdin: 'Ada is allergic to peanuts.\n' })).stdout,
  )
  expect(stored).toMatchObject({ content: { text: 'Ada is allergic to peanuts.' }, tags: ['cli'] })

  const piped = JSON.parse((await cli.run(['search', 'which', 'foods', 'make', 'her', 'sick', '--tag', 'cli'])).stdout)
  expect(piped.results[0].id).toBe(stored.id)

  const seen = cli.terminal(['search', 'allergic', '--tag', 'cli'])
  expect(await seen.ended).toBe(0)
  expect(seen.output()).toContain('\u001b[1m')
  const shown = stripVTControlCharacters(seen.output())
  expect(shown).toMatch(/# +OF BEST +ID +WHEN +TEXT\r?\n1 +█{8} +mem_/)
  expect(shown).not.toContain('SCORE')
  const numbers = cli.terminal(['search', 'allergic', '--tag', 'cli', '--scores'])
  expect(await numbers.ended).toBe(0)
  expect(stripVTControlCharacters(numbers.output())).toMatch(
    /OF BEST +SCORE +SIMILARITY +ID[^]*█{8} +[01]\.\d{3} +[01]\.\d{3} +mem_/,
  )
  expect(seen.output()).toContain(stored.id)
  const plain = cli.terminal(['list', '--tag', 'cli'], { env: { NO_COLOR: '1' } })
  expect(await plain.ended).toBe(0)
  expect(plain.output()).not.toContain('\u001b[')

  expect((await cli.run(['get', stored.id, '--text'])).stdout).toBe('Ada is allergic to peanuts.\n')
  expect(JSON.parse((await cli.run(['delete', stored.id])).stdout)).toEqual({ deleted: [stored.id], failed: [] })
  const gone = await cli.run(['get', stored.id, '--json'])
  expect(gone.code).toBe(5)
  expect(JSON.parse(gone.stderr).error.code).toBe('not_found')
  expect((await cli.run(['store', 'x', '--ttl', '1000000w'])).code).toBe(7)
  expect((await cli.run(['store', 'x', '--ttl', 'soon'])).code).toBe(2)
})

test('security 70: a text of anybody’s does not drive the terminal', async () => {
  const cli = await cliOf(agent)
  const { stdout } = await cli.run(['store', '\u001b]0;owned\u0007\u001b[2Jharmless\u009b5m', '--tag', 'escape'])
  const seen = cli.terminal(['get', JSON.parse(stdout).id], { env: { NO_COLOR: '1' } })
  expect(await seen.ended).toBe(0)
  expect(seen.output()).toContain('harmless')
  // oxlint-disable-next-line no-control-regex -- what may not come through
  expect(seen.output()).not.toMatch(/[\u001b\u0007\u009b]/)
})

test('a service that does not answer, and a command that may not', async () => {
  const cli = await cliOf(agent, ['read:memory'])
  expect((await cli.run(['list', '--url', 'http://127.0.0.1:1'])).code).toBe(9)
  expect((await cli.run(['store', 'x'])).code).toBe(4)
  expect((await cli.run(['listen'])).code).toBe(4)
  expect((await cli.run(['list'], { env: { RECOLLECT_API_KEY: 'secret' } })).stderr).not.toContain('secret')
})
