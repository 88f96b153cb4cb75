import { expect, test } from 'vitest'
import type { Scope } from '../../../src/core/context.ts'
import { travel } from '../../support/clock.ts'
import { newWriter } from '../../support/memory.ts'
import { addKey, call, newTenant } from '../../support/world.ts'

test('0 or 51 operations are 422', async () => {
  const user = await newWriter()
  for (const count of [0, 51]) {
    const operations = Array.from({ length: count }, () => ({ op: 'store', content: 'x' }))
    expect((await user.send('POST', '/api/memory/batch', { operations })).status).toBe(422)
  }
})

test('50 items that together exceed one parameter of D1 are one answer', async () => {
  const user = await newWriter()
  const [text, metadata] = [`${'wörd '.repeat(250)}end`, { pad: 'wörd '.repeat(2_500) }]
  const operations = Array.from({ length: 50 }, (_, n) => ({
    op: 'store',
    content: { text, metadata },
    custom_id: `n${n}`,
  }))
  const { status, body } = await user.send('POST', '/api/memory/batch', { operations })
  expect({ status, done: body.success_count }).toEqual({ status: 200, done: 50 })
  expect((await user.get(body.results[49].id)).body.content).toMatchObject({ text, metadata })
})

test('an operation needs its scope: read:memory for retrieve, write:memory for the others', async () => {
  const tenant = await newTenant()
  const send = async (scopes: Scope[]) => {
    const { secret } = await addKey(tenant, { scopes })
    return call('POST', '/api/memory/batch', {
      key: secret,
      body: {
        operations: [
          { op: 'store', content: 'x' },
          { op: 'retrieve', id: 'mem_none' },
        ],
      },
    })
  }
  const codes = (body: any) => body.results.map((r: any) => r.error?.code ?? 'success')
  expect(codes((await send(['read:memory'])).body)).toEqual(['insufficient_scope', 'not_found'])
  expect(codes((await send(['write:memory'])).body)).toEqual(['success', 'insufficient_scope'])
  const other = await newTenant({ scopes: ['read:projects'] })
  const none = await call('POST', '/api/memory/batch', {
    key: other.key,
    body: { operations: [{ op: 'retrieve', id: 'mem_none' }] },
  })
  expect({ status: none.status, code: none.body.code }).toEqual({ status: 403, code: 'insufficient_scope' })
})

test('a batch charges the limit of batches only, whatever is in it', async () => {
  const user = await newWriter()
  travel(1_000)
  const operations = Array.from({ length: 50 }, () => ({ op: 'store', content: 'x' }))
  const answers = await Promise.all([0, 1, 2].map(() => user.send('POST', '/api/memory/batch', { operations })))
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 200, 429])
  expect(answers[0]?.headers.get('ratelimit-policy')).toBe('"memory.batch";q=2;w=1')
  const stores = await Promise.all(Array.from({ length: 10 }, () => user.store({ content: 'x' })))
  expect(stores.map(({ status }) => status)).toEqual(stores.map(() => 201))
})
