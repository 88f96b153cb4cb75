import { readFile } from 'node:fs/promises'
import { Parser } from '@asyncapi/parser'
import { expect, test } from 'vitest'

/** The document itself is held to the running service by `test/events/asyncapi/asyncapi.test.ts`. */
test('docs/asyncapi.json is valid AsyncAPI 2.6.0 by the official parser', async () => {
  const { document, diagnostics } = await new Parser().parse(await readFile('docs/asyncapi.json', 'utf8'))
  // The parser answers no document where one of its diagnostics is an error.
  expect(document, JSON.stringify(diagnostics)).toBeDefined()
  expect(document?.version()).toBe('2.6.0')
  expect(document?.channels().map((channel) => channel.address())).toEqual([
    '/realtime',
    '/api/events/stream',
    'webhook',
  ])
  const webhook = document?.channels().get('webhook')?.messages().all()[0]
  expect(Object.keys(webhook?.headers()?.properties() ?? {})).toEqual(
    expect.arrayContaining(['webhook-id', 'webhook-timestamp', 'webhook-signature']),
  )
})
