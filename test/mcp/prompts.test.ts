import { expect, test } from 'vitest'
import { rpc } from '../support/mcp.ts'
import { newTenant } from '../support/world.ts'

test('the prompts tell a model to search, and to store', async () => {
  const { key } = await newTenant()
  const { body } = await rpc('prompts/list', {}, { bearer: key })
  expect(body.result.prompts.map((one: any) => one.name)).toEqual(['recall', 'remember'])
  const recall = await rpc('prompts/get', { name: 'recall', arguments: { topic: 'the kettle' } }, { bearer: key })
  const [message] = recall.body.result.messages
  expect(message.role).toBe('user')
  expect(message.content.text).toMatch(/Call recall .*the kettle/s)
  const remember = await rpc('prompts/get', { name: 'remember' }, { bearer: key })
  expect(remember.body.result.messages[0].content.text).toContain('store_memory')
  const focused = await rpc('prompts/get', { name: 'remember', arguments: { focus: 'tea' } }, { bearer: key })
  expect(focused.body.result.messages[0].content.text).toContain('Focus on: tea')
})

test('contract §9: ?tools=search has no prompts, as they name tools that it does not list', async () => {
  const { key } = await newTenant()
  const sent = { bearer: key, path: '/mcp?tools=search' }
  expect((await rpc('prompts/list', {}, sent)).body.result.prompts).toEqual([])
  expect((await rpc('prompts/get', { name: 'remember' }, sent)).body.error.code).toBe(-32602)
})

test.each([
  { name: 'no_such' },
  { name: 'recall' },
  { name: 'recall', arguments: { topic: ' ' } },
  { name: 'recall', arguments: { topic: 'x', surprise: 'y' } },
  { name: 'remember', arguments: { focus: 'x'.repeat(4_097) } },
])('$name with arguments that it does not take is -32602', async (params) => {
  const { key } = await newTenant()
  expect((await rpc('prompts/get', params, { bearer: key })).body.error.code).toBe(-32602)
})
