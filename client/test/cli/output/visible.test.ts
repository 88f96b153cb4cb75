import { expect, test } from 'vitest'
import { visible, visibleJson, visibleLine } from '../../../src/cli/output/visible.ts'

const ATTACKS = [
  '\u001b]0;title\u0007',
  '\u001b[2J\u001b[H',
  '\u009b31m',
  '\u001b]52;c;ZXZpbA==\u0007',
  '\u202etxt.exe',
  'over\rwritten',
  '\u0007\b\u007f\0',
]

test.each(ATTACKS)('security 70: a terminal obeys nothing of %j', (attack) => {
  // oxlint-disable-next-line no-control-regex -- what may not be left
  const obeyed = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/
  expect(visible(`a${attack}b`)).not.toMatch(obeyed)
  expect(visibleLine(`a${attack}b`)).not.toMatch(obeyed)
  const json = visibleJson({ text: attack })
  expect(json).not.toMatch(obeyed)
  expect(JSON.parse(json)).toEqual({ text: attack })
})

test('lines, tabs and every language stay', () => {
  const text = 'Zeile 1\n\tпривет, 世界, שלום 👋🏽'
  expect(visible(text)).toBe(text)
})
