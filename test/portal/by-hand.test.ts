import { expect, test } from 'vitest'
import { curlOf } from '../../src/portal/webhooks/by-hand.ts'
import { quoted } from '../../src/portal/snippets/shell.ts'

const request = {
  method: 'POST' as const,
  url: "https://example.com/it's?a=1&b=$HOME",
  headers: { 'Content-Type': 'application/json', 'webhook-id': 'dlv_1' },
  custom_headers: ['X-Mine', "1`id`'"],
  body: `{"text":"it's $HOME \`id\` \\n"}`,
}

test.each([
  ['plain', `'plain'`],
  ["it's", `'it'\\''s'`],
  ["'", `''\\'''`],
  ['$HOME `id` \\ "x"', `'$HOME \`id\` \\ "x"'`],
])('%s is one word of a shell: %s', (text, word) => {
  expect(quoted(text)).toBe(word)
})

test('what the reader may not see is a variable of the shell, and nothing else is', () => {
  const line = curlOf(request)
  expect(line).toContain(`-H 'webhook-timestamp: '"$TIMESTAMP"`)
  expect(line).toContain(`-H 'webhook-signature: '"$SIGNATURE"`)
  expect(line).toContain(`-H 'X-Mine: '"$X_MINE"`)
  expect(line).toContain(`-H '1\`id\`'\\'': '"$_1_ID__"`)
  expect(line).toContain(`--data-raw ${quoted(request.body)}`)
  // Outside single quotes there is nothing that a shell would run or expand but these variables.
  const open = line.replaceAll(/'[^']*'|\\./gs, '')
  expect(open.match(/[`$;|&<>(]\w*/g)).toEqual(['$TIMESTAMP', '$SIGNATURE', '$X_MINE', '$_1_ID__'])
})

test('a signed request needs no variable', () => {
  const headers = { ...request.headers, 'webhook-timestamp': '1', 'webhook-signature': 'v1,abc=' }
  const line = curlOf({ ...request, headers, custom_headers: [] })
  expect(line).toContain(`-H 'webhook-signature: v1,abc='`)
  expect(line).not.toContain('$SIGNATURE')
})
