import { expect, test } from 'vitest'
import { PATTERNS, voiceFaults } from '../../tools/lint/voice.ts'

/** A refused and an allowed sentence for each pattern, in their order. */
const SENTENCES: [refused: string, allowed: string][] = [
  ['since has to lie before until.', 'since must be before until.'],
  ['expires_at lies ahead.', 'expires_at is in the future.'],
  ['A key of a workspace makes no keys.', 'Workspace keys cannot create keys.'],
  ['Your role in this project does not write memory.', 'Your role in this project cannot write.'],
  ['so many results; 10', 'The list is so long that it has pages. number of results (default: 10)'],
  ['What happens meanwhile is kept.', 'Events are kept in the meantime.'],
  ['A changed text is embedded anew.', 'A changed text is embedded again.'],
  ['It was changed again and again.', 'Other requests kept changing it.'],
  ['the least similarity', 'minimum similarity, 0 to 1'],
  ['2 wrong use', '2 usage error'],
  ['a tag; may come several times', 'tag (repeatable)'],
  ['3.5 is no whole number.', '3.5 is not a whole number.'],
  ['LIMITS names "read", which is none of them.', 'LIMITS names "read", which is no longer a limit.'],
  ['Whoever has the link can log in.', 'Anyone who has the link can log in.'],
  ['The member is told of it.', 'The member is notified of it.'],
  ['--restart goes with --output.', '--restart needs --output.'],
  ['It answers 404 for a hidden item.', 'It returns 404 for a hidden item.'],
]

test.each(SENTENCES.map(([refused, allowed], at) => ({ at, refused, allowed })))(
  '$refused is refused, and "$allowed" is allowed',
  ({ at, refused, allowed }) => {
    expect(PATTERNS.map(([pattern], number) => (pattern.test(refused) ? number : null))).toContain(at)
    expect(voiceFaults(refused)).not.toEqual([])
    expect(voiceFaults(allowed)).toEqual([])
  },
)

test('each pattern has its sentences', () => {
  expect(SENTENCES).toHaveLength(PATTERNS.length)
})

test('a wording is found across lines, and in capitals', () => {
  expect(voiceFaults('Items that\nhave to\n  lie here')).toHaveLength(1)
  expect(voiceFaults('MEANWHILE')).toEqual(['instead of "MEANWHILE" write: in the meantime, or nothing'])
})
