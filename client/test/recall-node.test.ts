import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages'
import { RunnableLambda } from '@langchain/core/runnables'
import { expect, test } from 'vitest'
import { recallNode, type RecallNodeOptions } from '../src/langgraph/index.ts'
import { clientOf, json, problem } from './support.ts'

const MESSAGES = [
  new SystemMessage('Be kind.'),
  new HumanMessage('I am allergic to peanuts.'),
  new AIMessage('Noted.'),
  new ToolMessage({ content: 'seen', tool_call_id: '1' }),
  new HumanMessage({ content: [{ type: 'text', text: 'What may I cook?' }] }),
]

function newNode(options: RecallNodeOptions<string> = {}, answer = json({ text: 'No peanuts.', pending: 0 })) {
  const { client: recollect, sent } = clientOf([answer], { maxRetries: 0 })
  return { node: RunnableLambda.from(recallNode({ recollect, ...options })), sent }
}

test('the node puts what is recalled for the user of the run into the state', async () => {
  const { node, sent } = newNode({ maxTokens: 150 })
  const state = await node.invoke({ messages: MESSAGES }, { configurable: { user_id: 'alex@example.com' } })
  expect(state).toEqual({ memories: 'No peanuts.' })
  expect(await sent[0]?.json()).toEqual({
    messages: [
      { role: 'user', content: 'I am allergic to peanuts.' },
      { role: 'user', content: 'What may I cook?' },
    ],
    context: { namespace: 'user:alex@example.com' },
    max_tokens: 150,
    format: 'text',
  })
})

test('user and channel can be others', async () => {
  const { node, sent } = newNode({ channel: 'known', user: ({ configurable }) => `u-${String(configurable?.['who'])}` })
  expect(await node.invoke({ messages: MESSAGES }, { configurable: { who: 7 } })).toEqual({ known: 'No peanuts.' })
  expect(await sent[0]?.json()).toMatchObject({ context: { namespace: 'user:u-7' } })
})

test.each([{}, { user_id: '' }, { user_id: 7 }])('a run of the user %j is a TypeError', async (configurable) => {
  const { node, sent } = newNode()
  await expect(node.invoke({ messages: MESSAGES }, { configurable })).rejects.toThrow(TypeError)
  expect(sent).toEqual([])
})

test('a failure of the memory fails the node, whose graph may retry it', async () => {
  const { node } = newNode({}, problem(503, 'unavailable'))
  await expect(node.invoke({ messages: MESSAGES }, { configurable: { user_id: 'a' } })).rejects.toMatchObject({
    status: 503,
  })
})
