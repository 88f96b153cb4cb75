import { expect, test } from 'vitest'
import { asyncApiDocument } from '../../../src/events/asyncapi/asyncapi.ts'
import { EVENT_TYPES } from '../../../src/events/catalog.ts'
import { call } from '../../support/world.ts'

test('GET /api-reference/asyncapi.json answers AsyncAPI 2.6.0 without a credential, for the origin of the request', async () => {
  const { status, body, headers } = await call('GET', '/api-reference/asyncapi.json')
  expect(status).toBe(200)
  expect(headers.get('content-type')).toMatch(/^application\/json/)
  expect(body).toEqual(asyncApiDocument('http://recollect.test'))
  expect(body).toMatchObject({
    asyncapi: '2.6.0',
    servers: { realtime: { url: 'recollect.test', protocol: 'ws' } },
    components: { securitySchemes: { queryToken: { type: 'httpApiKey', in: 'query', name: 'token' } } },
  })
})

test('every type of the catalogue is a message of the socket and of the webhook', () => {
  const text = JSON.stringify(asyncApiDocument('https://recollect.example'))
  for (const type of EVENT_TYPES) expect(text).toContain(`"name":"${type}"`)
})

test('docs/asyncapi.json is the document of this version', async () => {
  const text = `${JSON.stringify(asyncApiDocument('https://recollect.example'), null, 2)}\n`
  await expect(text).toMatchFileSnapshot('../../../docs/asyncapi.json')
})
