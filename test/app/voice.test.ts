import { expect, test } from 'vitest'
import { voiceFaults } from '../../tools/lint/voice.ts'
import { rpc } from '../support/mcp.ts'
import { newWriter } from '../support/memory.ts'
import { call } from '../support/world.ts'

test.each([
  '/',
  '/llms.txt',
  '/api-reference/openapi.json',
  '/api-reference/asyncapi.json',
  '/api-reference/errors',
  '/api-reference/events',
])('%s is in plain English', async (path) => {
  const { status, text } = await call('GET', path)
  expect(status).toBe(200)
  expect(voiceFaults(text)).toEqual([])
})

const HELLO = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }

test.each([
  ['initialize', HELLO],
  ['tools/list', {}],
  ['prompts/list', {}],
  ['prompts/get', { name: 'recall', arguments: { topic: 'tea' } }],
  ['prompts/get', { name: 'remember' }],
  ['resources/templates/list', {}],
])('%s %j of /mcp answers in plain English', async (method, params) => {
  const { headers } = await newWriter()
  const { body, text } = await rpc(method, params, { headers })
  expect(body.result).toBeDefined()
  expect(voiceFaults(text)).toEqual([])
})
