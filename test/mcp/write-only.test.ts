import { expect, test } from 'vitest'
import { scopesOf } from '../../src/core/http/endpoint.ts'
import { TOOLS } from '../../src/mcp/tools/index.ts'
import { CANARY, plantCanaries, type Planted } from '../support/canaries.ts'
import { useTool } from '../support/mcp.ts'
import { newWriter } from '../support/memory.ts'
import { addKey } from '../support/world.ts'

/** Arguments of each tool that writes; a tool without a row here fails the test. */
const ARGUMENTS: Record<string, (planted: Planted) => Record<string, unknown>[]> = {
  store_memory: () => [
    { content: 'new' },
    { content: 'mine', custom_id: CANARY.customId, namespace: CANARY.namespace },
    { content: 'mine', idempotency_key: 'k' },
    { content: 'mine', idempotency_key: 'k' },
    { content: 'other', idempotency_key: 'k' },
    { content: '' },
  ],
  update_memory: ({ itemId }) => [{ id: itemId }, { id: itemId, if_version: 1 }, { id: 'mem_none' }],
  retire_memory: ({ itemId }) => [{ id: itemId, reason: 'x' }, { id: itemId }],
  restore_memory: ({ itemId }) => [{ id: itemId }, { id: itemId }],
  delete_memory: ({ itemId }) => [{ id: itemId }, { id: itemId }],
}
const WRITING = TOOLS.filter(({ operation }) => scopesOf(operation.spec).some((scope) => scope.startsWith('write:')))

test.each(WRITING)('security 67: $name with write:memory alone shows nothing that was stored', async ({ name }) => {
  const planted = await plantCanaries()
  const sent = ARGUMENTS[name]?.(planted)
  if (!sent) throw new Error(`no arguments for ${name}`)
  for (const args of sent) {
    const { secret: bearer } = await addKey(planted.owner, { scopes: ['write:memory'] })
    const { text, result } = await useTool(name, args, { bearer })
    const told = text + JSON.stringify(result)
    const leaked = planted.canaries.filter((one) => told.includes(one) && !JSON.stringify(args).includes(one))
    expect({ args, leaked, text }).toMatchObject({ leaked: [] })
  }
})

test('contract §9: a changed memory is answered in its short form without read:memory, a new one whole', async () => {
  const owner = await newWriter()
  const { body: item } = await owner.store({ content: 'one', custom_id: 'c' })
  const sent = { bearer: (await addKey(owner, { scopes: ['write:memory'] })).secret }
  const short = ['created_at', 'embedding_status', 'id', 'updated_at', 'version']
  const updated = await useTool('update_memory', { id: item.id }, sent)
  expect(Object.keys(updated.result).sort()).toEqual(short)
  expect(updated.result).toMatchObject({ id: item.id, version: 2 })
  const stored = await useTool('store_memory', { content: 'two', custom_id: 'c' }, sent)
  expect(Object.keys(stored.result).sort()).toEqual(['created', ...short].sort())
  expect(stored.result).toMatchObject({ id: item.id, version: 3, created: false })
  const made = await useTool('store_memory', { content: 'three' }, sent)
  expect(made.result).toMatchObject({ content: 'three', created: true })
  for (const { result } of [updated, stored, made]) {
    const { outputSchema } = TOOLS.find(({ name }) => name === 'store_memory')?.listed(false) ?? {}
    const required = (outputSchema?.['required'] as string[] | undefined)?.filter((field) => field !== 'created')
    expect(required?.filter((field) => !(field in result))).toEqual([])
  }
})
