import { expect, test, vi } from 'vitest'
import { call, newTenant, type Tenant } from '../support/world.ts'

export const store = async (key: string, text: string, more: Record<string, unknown> = {}) => {
  const { status, body } = await call('POST', '/api/memory/store', { key, body: { content: text, ...more } })
  expect(status).toBe(201)
  return body
}

const search = async (tenant: Pick<Tenant, 'key'>, query: string, more: Record<string, unknown> = {}) => {
  const answer = await call('POST', '/api/memory/search', { key: tenant.key, body: { query, ...more } })
  expect(answer.status).toBe(200)
  return answer.body
}

const ids = (body: { results: { id: string }[] }) => body.results.map((result) => result.id)

test('an item is found by its words the moment store answers, by meaning the moment its embedding is completed', async () => {
  const tenant = await newTenant()
  const item = await store(tenant.key, 'The customer pays with a blue card.')
  const byWords = await search(tenant, 'blue cards', { mode: 'keyword' })
  expect(ids(byWords)).toEqual([item.id])
  await vi.waitFor(async () => {
    const { body } = await call('GET', `/v1/memory/items/${item.id}`, { key: tenant.key })
    expect(body.embedding_status).toBe('completed')
  }, 10_000)
  const byMeaning = await search(tenant, 'paying customer', { mode: 'semantic' })
  expect(ids(byMeaning)).toEqual([item.id])
  expect(byMeaning.results[0].similarity).toBeGreaterThan(0.3)
})
