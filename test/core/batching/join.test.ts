import { expect, test } from 'vitest'
import { gathering, joining } from '../../../src/core/batching/join.ts'
import { until } from '../../support/until.ts'
import { system } from '../../support/world.ts'

function rig() {
  const sent: [string, string[]][] = []
  const join = joining(5, async (_system, key, ids) => void sent.push([key, ids]))
  return { sent, join }
}

test('ids of one window travel as one, by key', async () => {
  const { sent, join } = rig()
  join(system, 'a', ['1'])
  join(system, 'a', ['2', '3'])
  join(system, 'b', ['4'])
  join(system, 'b', [])
  await until(() =>
    expect(sent).toEqual([
      ['a', ['1', '2', '3']],
      ['b', ['4']],
    ]),
  )
})

test('a group whose request has died swallows nothing that comes after it', async () => {
  const { sent, join } = rig()
  const start = system.now()
  let now = start
  // The request that opened the group is killed: what it waits for never comes.
  const clocked = { ...system, now: () => now }
  join(clocked, 'a', ['lost'])
  now = start + 3 * 5
  join(clocked, 'a', ['next'])
  await until(() => expect(sent).toContainEqual(['a', ['next']]))
})

test('what comes while a commit is under way goes into the next one; each caller hears of its own', async () => {
  const commits: number[][] = []
  const ends: (() => void)[] = []
  const note = gathering<number>(async (numbers) => {
    commits.push([...numbers])
    await new Promise<void>((resolve) => ends.push(resolve))
    if (numbers.includes(3)) throw new Error('lost')
  })
  const [one, two] = [note(1), note(2)]
  await until(() => expect(commits).toEqual([[1, 2]]))
  const [three, four] = [note(3), note(4)]
  ends[0]?.()
  await Promise.all([one, two])
  await until(() =>
    expect(commits).toEqual([
      [1, 2],
      [3, 4],
    ]),
  )
  const five = note(5)
  ends[1]?.()
  await expect(three).rejects.toThrow('lost')
  await expect(four).rejects.toThrow('lost')
  await until(() => expect(commits.at(-1)).toEqual([5]))
  ends[2]?.()
  await expect(five).resolves.toBeUndefined()
})
