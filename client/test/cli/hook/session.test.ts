import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Message } from '../../../src/cli/agent/spool.ts'
import { MAX_CHARACTERS, SessionFile } from '../../../src/cli/hook/session.ts'
import { NOW, testIo } from '../support/io.ts'

/** Each call is another process in truth: it reads what the one before has written. */
function sessionOf(env = testIo().io.env, owner = 'a') {
  const file = (at = NOW) => new SessionFile({ env, now: () => at }, 'codex', 's')
  async function answered(answer: string, turn: string | null = null, prompt: string | null = null, at = NOW) {
    const kept: Message[] = []
    await file(at).answered({ answer, turn, prompt, owner }, async (messages) => {
      kept.push(...messages)
    })
    return kept
  }
  return {
    asks: (prompt: string, turn: string | null = null, at = NOW) => file(at).prompted({ prompt, turn, owner }),
    answers: async (...told: Parameters<typeof answered>) =>
      (await answered(...told)).map(({ id, content }) => [id, content]),
    answered,
    file,
  }
}

test('a turn has the id of its prompt, and its messages have their times', async () => {
  const { asks, answered } = sessionOf()
  await asks('Where?', 't1')
  expect(await answered('There.', 't1', null, NOW + 5_000)).toEqual([
    { id: 't1:prompt', role: 'user', content: 'Where?', timestamp: '2026-11-22T12:00:00.000Z' },
    { id: 't1:answer', role: 'assistant', content: 'There.', timestamp: '2026-11-22T12:00:05.000Z' },
  ])
})

/** The name of an unnamed turn that began at `NOW`. */
const unnamed = (n: number) => `s:${NOW.toString(36)}-${n}`

test('without ids turns have the session, their time and a number', async () => {
  const { asks, answers } = sessionOf()
  await asks('Where?')
  expect(await answers('There.')).toEqual([
    [`${unnamed(1)}:prompt`, 'Where?'],
    [`${unnamed(1)}:answer`, 'There.'],
  ])
  await asks('When?')
  expect((await answers('Then.')).map(([id]) => id)).toEqual([`${unnamed(2)}:prompt`, `${unnamed(2)}:answer`])
})

test('a session that is resumed after its file was erased gives no name twice', async () => {
  const { io, home } = testIo()
  const { asks, answers } = sessionOf(io.env)
  await asks('Where?')
  const before = await answers('There.', null, null, NOW + 5_000)
  await rm(join(home, '.local/state/recollect/agents/sessions'), { recursive: true })
  const later = NOW + 8 * 86_400_000
  await asks('When?', null, later)
  const after = await answers('Then.', null, null, later + 5_000)
  expect(new Set([...before, ...after].map(([id]) => id)).size).toBe(4)
})

test('of hooks that run at once, none loses what another one tells', async () => {
  const { asks, answers } = sessionOf()
  const prompts = ['a', 'b', 'c', 'd']
  await Promise.all(prompts.map((prompt) => asks(prompt, 't1')))
  const told = await answers('There.', 't1')
  expect(new Set(told.map(([, content]) => content))).toEqual(new Set([...prompts, 'There.']))
  expect(new Set(told.map(([id]) => id)).size).toBe(5)
})

test('a prompt does not wait for a hook that hangs', async () => {
  const { io, home } = testIo()
  const { asks, file } = sessionOf(io.env)
  await asks('Where?', 't1')
  const folder = join(home, '.local/state/recollect/agents/sessions')
  const [name = ''] = await readdir(folder)
  // The process that runs this test lives.
  await writeFile(join(folder, `${name}.lock`), `${process.ppid} other`)
  await expect(file().prompted({ prompt: 'When?', turn: 't2', owner: 'a' }, AbortSignal.timeout(100))).rejects.toThrow(
    'aborted',
  )
})

test('a lock that names no process is taken over once it is old', async () => {
  const { io, home } = testIo()
  const { asks } = sessionOf(io.env)
  await asks('Where?', 't1')
  const folder = join(home, '.local/state/recollect/agents/sessions')
  const [name = ''] = await readdir(folder)
  const lock = join(folder, `${name}.lock`)
  await writeFile(lock, '')
  const old = (NOW - 60_000) / 1_000
  await utimes(lock, old, old)
  await asks('When?', 't2')
  expect(await readdir(folder)).toEqual([name])
})

test('prompts whose turn cannot be kept wait for the next one', async () => {
  const { asks, answers, file } = sessionOf()
  await asks('Where?', 't1')
  const full = async () => {
    throw new Error('The disk is full.')
  }
  await expect(file().answered({ answer: 'There.', turn: 't1', prompt: null, owner: 'a' }, full)).rejects.toThrow(
    'full',
  )
  expect(await answers('There.', 't1')).toEqual([
    ['t1:prompt', 'Where?'],
    ['t1:answer', 'There.'],
  ])
})

test('an answer to a prompt that no hook has told: it comes along, or stays unknown', async () => {
  const { answers } = sessionOf()
  expect((await answers('There.', null, 'Where?')).map(([id]) => id)).toEqual([
    `${unnamed(1)}:prompt`,
    `${unnamed(1)}:answer`,
  ])
  expect((await answers('Then.', null, 'When?')).map(([id]) => id)).toEqual([
    `${unnamed(2)}:prompt`,
    `${unnamed(2)}:answer`,
  ])
  expect((await sessionOf().answers('There.', 't1')).map(([id]) => id)).toEqual(['t1:answer'])
})

test('a turn that the agent tells twice as a whole has the same ids', async () => {
  const { answers } = sessionOf()
  expect(await answers('There.', 't1', 'Where?')).toEqual([
    ['t1:prompt', 'Where?'],
    ['t1:answer', 'There.'],
  ])
  expect(await answers('There it is.', 't1', 'Where?')).toEqual([
    ['t1:prompt', 'Where?'],
    ['t1:answer', 'There it is.'],
  ])
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
  expect(await readFile(join(folder, name), 'utf8')).not.toContain('secret')
  // It may answer what was forgotten.
  expect(await answers('There.', 't32')).toEqual([])
  await asks('When?', 't33')
  expect(await answers('Then.', 't33')).toHaveLength(2)
})

describe('what was said under one login, or to one project, does not go to another', () => {
  async function turn() {
    const { io } = testIo()
    const [a, b] = [sessionOf(io.env), sessionOf(io.env, 'b')]
    await a.asks('Of A.', 't1')
    return { io, a, b }
  }

  test('an answer to it is not kept, also where the agent tells the prompt once more', async () => {
    for (const prompt of [null, 'Of A.']) {
      const { b } = await turn()
      for (const answer of ['For A.', 'More for A.']) expect(await b.answers(answer, null, prompt)).toEqual([])
      await b.asks('Of B.', 't2')
      expect(await b.answers('For B.', 't2')).toEqual([
        ['t2:prompt', 'Of B.'],
        ['t2:answer', 'For B.'],
      ])
    }
  })

  test('a prompt that was broken off does not come with the next turn', async () => {
    const { a, b } = await turn()
    await b.asks('Of B.', 't2')
    expect((await b.answers('For B.', 't2')).map(([id]) => id)).toEqual(['t2:prompt', 't2:answer'])
    // Nor does it come back.
    expect(await a.answers('For A.', 't1')).toEqual([])
  })

  test('a second answer to a turn that is kept', async () => {
    const { a, b } = await turn()
    expect(await a.answers('For A.', 't1')).toHaveLength(2)
    expect(await b.answers('More for A.', 't1')).toEqual([])
  })

  test('a turn that the agent tells as a whole is of the login at its end', async () => {
    const { io } = testIo()
    expect(await sessionOf(io.env).answers('For A.', 't1', 'Of A.')).toHaveLength(2)
    expect(await sessionOf(io.env, 'b').answers('For B.', 't2', 'Of B.')).toHaveLength(2)
  })
})

test('a text is cut at the length of one part, and not within a character', async () => {
  const { answers } = sessionOf()
  const [[, content = ''] = []] = await answers(`${'x'.repeat(MAX_CHARACTERS - 1)}😀`)
  expect(Array.from(content)).toHaveLength(MAX_CHARACTERS)
  expect(content.isWellFormed()).toBe(true)
  const [[, cut = ''] = []] = await answers(`${'x'.repeat(MAX_CHARACTERS)}😀`)
  expect(cut).toBe('x'.repeat(MAX_CHARACTERS))
})

test('what no item can hold is replaced', async () => {
  const { asks, answers } = sessionOf()
  await asks('a\0b', 't1')
  expect((await answers('c\ud800', 't1')).map(([, content]) => content)).toEqual(['a\ufffdb', 'c\ufffd'])
})
