import { expect, test } from 'vitest'
import { groupCommit } from '../../../src/core/batching/group-commit.ts'
import { until } from '../../support/until.ts'

test('things that arrive while a commit is under way go into the next one; each caller gets the result of its own', async () => {
  const commits: number[][] = []
  const ends: (() => void)[] = []
  const add = groupCommit<number>(async (numbers) => {
    commits.push([...numbers])
    await new Promise<void>((resolve) => ends.push(resolve))
    if (numbers.includes(3)) throw new Error('lost')
  })
  const [one, two] = [add(1), add(2)]
  await until(() => expect(commits).toEqual([[1, 2]]))
  const [three, four] = [add(3), add(4)]
  ends[0]?.()
  await Promise.all([one, two])
  await until(() =>
    expect(commits).toEqual([
      [1, 2],
      [3, 4],
    ]),
  )
  const five = add(5)
  ends[1]?.()
  await expect(three).rejects.toThrow('lost')
  await expect(four).rejects.toThrow('lost')
  await until(() => expect(commits.at(-1)).toEqual([5]))
  ends[2]?.()
  await expect(five).resolves.toBeUndefined()
})
