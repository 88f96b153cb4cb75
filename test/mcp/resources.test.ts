import { expect, test } from 'vitest'
import { modernRpc, rpc } from '../support/mcp.ts'
import { newWriter } from '../support/memory.ts'
import { expectAudited } from '../support/oauth.ts'
import { newTenant } from '../support/world.ts'

test('the resources and templates are listed without a look at data', async () => {
  const { key } = await newTenant()
  const { body } = await rpc('resources/list', {}, { bearer: key })
  expect(body.result.resources).toEqual([expect.objectContaining({ uri: 'memory://recent', name: 'recent' })])
  const templates = await rpc('resources/templates/list', {}, { bearer: key })
  expect(templates.body.result.resourceTemplates.map((one: any) => one.uriTemplate)).toEqual([
    'memory://{id}',
    'memory://projects/{project_id}/recent',
  ])
})

test('an item is its text, and the read leaves the audit row of a retrieve', async () => {
  const user = await newWriter()
  const { body: item } = await user.store({ content: { text: '# Tea', type: 'text/markdown' } })
  for (const send of [rpc, modernRpc]) {
    const { body } = await send('resources/read', { uri: `memory://${item.id}` }, { bearer: user.key })
    const _meta = { created_by: user.userId, by_you: true }
    expect(body.result.contents).toEqual([
      { uri: `memory://${item.id}`, mimeType: 'text/markdown', text: '# Tea', _meta },
    ])
  }
  await expectAudited(user.tenantId, ['memory.retrieve'])
})

test('the recent items are the newest of all namespaces, of the default project or of a named one', async () => {
  const user = await newWriter()
  for (let n = 0; n < 9; n += 1) await user.store({ content: `tea ${n}`, context: { namespace: `n${n}` } })
  for (const uri of ['memory://recent', `memory://projects/${user.projectId}/recent`]) {
    const { body } = await rpc('resources/read', { uri }, { headers: user.headers })
    const [contents] = body.result.contents
    expect(contents).toMatchObject({ uri, mimeType: 'application/json' })
    const { memories } = JSON.parse(contents.text)
    expect(memories.map((one: any) => one.content)).toEqual(Array.from({ length: 9 }, (_, n) => `tea ${8 - n}`))
  }
})

test.each([
  'memory://',
  'memory://x',
  'memory://mem_',
  'memory://prj_x/recent',
  'file:///etc/passwd',
  'x',
  'memory://mem_a/../b',
  'memory://mem_a?offset=-1',
  'memory://mem_a?other=1',
])('%s is no resource', async (uri) => {
  const { key } = await newTenant()
  for (const send of [rpc, modernRpc]) {
    expect((await send('resources/read', { uri }, { bearer: key })).body.error.code).toBe(-32602)
  }
})
