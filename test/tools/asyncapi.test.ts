import { readFile } from 'node:fs/promises'
import { Parser } from '@asyncapi/parser'
import { expect, test } from 'vitest'

/** `test/events/asyncapi/asyncapi.test.ts` compares the document with the running service. */
test('docs/asyncapi.json is valid AsyncAPI 2.6.0 by the official parser', async () => {
  const { document, diagnostics } = await new Parser().parse(await readFile('docs/asyncapi.json', 'utf8'))
  // The parser returns no document if a diagnostic is an error.
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
