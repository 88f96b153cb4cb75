import { html } from 'hono/html'
import { expect, test } from 'vitest'
import { Changes, differencesOf, type Difference } from '../../src/portal/memory/history/difference.tsx'

const differenceOf = (before: string, after: string) => differencesOf([after, before])[0]
const runsOf = (before: string, after: string) => {
  const difference = differenceOf(before, after)
  if (typeof difference !== 'object') throw new Error(`${difference}`)
  return difference
}
const changedIn = (before: string, after: string) =>
  runsOf(before, after)
    .filter((run) => run.in !== 'both')
    .map((run) => [run.in, run.text])
const shown = async (of: Difference): Promise<string> => (await html`${Changes({ of })}`).toString()

test('a difference keeps what stands beside a change, and gives up where little is common', () => {
  const long = Array.from({ length: 200 }, (_, nth) => `word${nth}`).join(' ')
  const runs = runsOf(`one ${long} two`, `1 ${long} 2`)
  expect(runs.map((run) => run.in)).toEqual(['before', 'after', 'both', 'before', 'after'])
  expect(runs[2]?.text).toMatch(/^ word0 .*….* word199 $/)
  expect(runs[2]?.text.length).toBeLessThan(200)
  const other = Array.from({ length: 400 }, (_, nth) => `other${nth}`).join(' ')
  expect(differenceOf(`${long} ${long}`, other)).toBe('unlike')
  expect(differenceOf('same', 'same')).toEqual([{ text: 'same', in: 'both' }])
})

test('one word of a text of any length is found', () => {
  const long = 'cup '.repeat(15_000)
  const runs = runsOf(`${long}tea ${long}`, `${long}coffee ${long}`)
  expect(runs.map((run) => run.in)).toEqual(['both', 'both', 'before', 'after', 'both', 'both'])
  expect(runs.filter((run) => run.in !== 'both').map(({ text }) => text)).toEqual(['tea', 'coffee'])
  expect([runs[0]?.text, runs.at(-1)?.text]).toEqual(['…', '…'])
  expect(runs.map(({ text }) => text).join('').length).toBeLessThan(200)
  // What the texts begin with may be what they end with too.
  expect(changedIn(long, `${long}cup `)).toEqual([['after', 'cup ']])
})

test('a pair of characters is not parted where a text is cut', () => {
  const many = '🙂'.repeat(200)
  for (const { text } of runsOf(`${many}x tea${many}`, `${many} x coffee${many}`))
    expect(text.isWellFormed()).toBe(true)
  for (const { text } of runsOf(`${many}🙂`, `${many}🙃`)) expect(text.isWellFormed()).toBe(true)
})

test('a change of white space alone is told, in short and in long texts', async () => {
  for (const before of ['Ada has tea.', `Ada has ${'many cups of '.repeat(40)}tea.`]) {
    expect(differenceOf(before, before.replace('has ', 'has\n\n'))).toBe('spaces')
    expect(differenceOf(before, before.replaceAll(' ', '  '))).toBe('spaces')
    expect(await shown('spaces')).toContain('Only spaces and line breaks changed.')
  }
})

test('words of any script are compared as words', () => {
  expect(changedIn('आदा को चाय पसंद है', 'आदा को कॉफ़ी पसंद है')).toEqual([
    ['before', 'चाय'],
    ['after', 'कॉफ़ी'],
  ])
  expect(changedIn('我喜欢喝绿茶', '我喜欢喝咖啡')).toEqual([
    ['before', '绿茶'],
    ['after', '咖啡'],
  ])
  expect(changedIn('تحب ادا الشاي كثيرا', 'تحب ادا القهوة كثيرا')).toEqual([
    ['before', 'الشاي'],
    ['after', 'القهوة'],
  ])
})

test('the whole difference runs in one direction', async () => {
  const marked = await shown(runsOf('تحب ادا الشاي كثيرا', 'تحب ادا القهوة كثيرا'))
  expect(marked.match(/<bdi>/g)).toHaveLength(1)
  expect(marked).toMatch(/<bdi><span>.*<del>الشاي<\/del><ins>القهوة<\/ins>.*<\/bdi>/)
  expect(await shown(runsOf('a\u202eb tea', 'a\u202eb mate'))).toContain('U+202E')
})

test('a page compares the newest texts, and no more than it has time for', () => {
  const text = (word: string) => `${word} ${Array.from({ length: 1_600 }, (_, nth) => `w${nth}`).join(' ')} ${word}`
  const found = differencesOf(['five', 'four', 'three', 'two', 'one'].map(text).concat('one', 'two'))
  expect(found.map((one) => (typeof one === 'string' ? one : 'runs'))).toEqual([
    'runs',
    'runs',
    'long',
    'long',
    'long',
    'runs',
  ])
})
