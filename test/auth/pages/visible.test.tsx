import { expect, test } from 'vitest'
import { page, shownText, Visible, visibleParts } from '../../../src/auth/index.ts'

const shown = (value: string): string =>
  visibleParts(value)
    .map((part) => (part.code === null ? part.text : `<${part.code}>`))
    .join('')

test.each([
  ['a zero-width space', 'pay\u200bpal', 'pay<U+200B>pal'],
  ['a bidi override', 'invoice\u202etxt.exe', 'invoice<U+202E>txt.exe'],
  ['a bidi isolate', '\u2066admin\u2069', '<U+2066>admin<U+2069>'],
  ['a soft hyphen', 'sup\u00adport', 'sup<U+00AD>port'],
  ['a byte order mark', '\ufeffkey', '<U+FEFF>key'],
  ['a control character', 'a\u0007b', 'a<U+0007>b'],
  ['a tag character', 'a\u{e0041}', 'a<U+E0041>'],
  ['a Cyrillic letter in a Latin word', 'p\u0430ypal', 'p<U+0430>ypal'],
  ['a Greek letter in a Latin word', 'g\u03bfogle', 'g<U+03BF>ogle'],
])('security 35: %s is shown by its number', (_, value, expected) => {
  expect(shown(value)).toBe(expected)
})

test.each([
  ['Привет мир'],
  ['Ελληνικά'],
  ['日本語のテキスト'],
  ['café naïve'],
  ['שלום'],
  ['👩‍💻 dev'],
  ['line one\nline two'],
  ['Recollect Память'],
])('honest text stays as it is: %s', (value) => {
  expect(visibleParts(value)).toEqual([{ text: value, code: null }])
})

test('security 35: what is copied is what is shown', () => {
  expect(shownText('invoice\u202etxt.exe\nok')).toBe('invoiceU+202Etxt.exe\nok')
})

test('security 39: markup in a name is text', async () => {
  const html = await (await page(<Visible text={'<script>alert(1)</script>" onload="x'} />)).text()
  expect(html).toBe('<!doctype html><bdi>&lt;script&gt;alert(1)&lt;/script&gt;&quot; onload=&quot;x</bdi>')
})
