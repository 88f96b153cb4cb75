import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MAX_CHARACTERS, SessionFile } from '../../../src/cli/hook/session.ts'
import { NOW, testIo } from '../support/io.ts'

/** Each call is another process in truth: it reads what the one before has written. */
function sessionOf(env = testIo().io.env) {
  const file = () => new SessionFile(env, 'codex', 's')
  return {
    asks: (text: string, turn: string | null = null, at = NOW) => file().prompted(text, turn, at),
    answers: async (text: string, turn: string | null = null, prompt: string | null = null, at = NOW) =>
      (await file().answered(text, turn, prompt, at)).map(({ id, content }) => [id, content]),
    file,
  }
}

test('a turn has the id of its prompt, and its messages have their times', async () => {
  const { asks, file } = sessionOf()
  await asks('Where?', 't1')
  expect(await file().answered('There.', 't1', null, NOW + 5_000)).toEqual([
    { id: 't1:prompt', role: 'user', content: 'Where?', timestamp: '2026-11-22T12:00:00.000Z' },
    { id: 't1:answer', role: 'assistant', content: 'There.', timestamp: '2026-11-22T12:00:05.000Z' },
  ])
})

test('without ids turns have the session and a number', async () => {
  const { asks, answers } = sessionOf()
  await asks('Where?')
  expect(await answers('There.')).toEqual([
    ['s:1:prompt', 'Where?'],
    ['s:1:answer', 'There.'],
  ])
  await asks('When?')
  expect((await answers('Then.')).map(([id]) => id)).toEqual(['s:2:prompt', 's:2:answer'])
})

test('an answer to a prompt that no hook has told: it comes along, or stays unknown', async () => {
  const { answers } = sessionOf()
  expect((await answers('There.', null, 'Where?')).map(([id]) => id)).toEqual(['s:1:prompt', 's:1:answer'])
  expect((await answers('Then.', null, 'When?')).map(([id]) => id)).toEqual(['s:2:prompt', 's:2:answer'])
  expect((await sessionOf().answers('There.', 't1')).map(([id]) => id)).toEqual(['t1:answer'])
})

test('a prompt that was broken off comes with the next turn; two prompts and two answers of one turn all count', async () => {
  const { asks, answers } = sessionOf()
  await asks('Where?', 't1')
  await asks('Where do we deploy?', 't2')
  await asks('Be short.', 't2')
  expect((await answers('There.', 't2')).map(([id]) => id)).toEqual([
    't1:prompt',
    't2:prompt',
    't2:prompt.2',
    't2:answer',
  ])
  // Another hook made the agent go on.
  expect(await answers('Done.', 't2')).toEqual([['t2:answer.2', 'Done.']])
})

test('what waits is closed to others, bounded, and forgotten where it is not remembered', async () => {
  const { io, home } = testIo()
  const { asks, answers, file } = sessionOf(io.env)
  for (let n = 1; n <= 30; n += 1) await asks(`${n}`, `t${n}`)
  const folder = join(home, '.local/state/recollect/agents/sessions')
  const [name = ''] = await readdir(folder)
  expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
  expect(name).toMatch(/^[0-9a-f]{32}\.json$/)
  expect(await answers('There.', 't30')).toHaveLength(21)
  await asks('secret', 't31')
  await file().forget()
  expect(await answers('There.', 't32')).toEqual([['t32:answer', 'There.']])
})

test('a text is cut at the length of one part, and not within a character', async () => {
  const { answers } = sessionOf()
  const [[, content = ''] = []] = await answers(`${'x'.repeat(MAX_CHARACTERS - 1)}😀`)
  expect(content).toHaveLength(MAX_CHARACTERS)
  expect(content.isWellFormed()).toBe(true)
})
