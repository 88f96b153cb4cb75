/** @module-tag shards */
import { expect, test } from 'vitest'
import { operate, setLimits } from '../support/operator.ts'
import { newTenant } from '../support/world.ts'

test('changes are listed newest first, page by page, each with the key, the request and both values', async () => {
  const { tenantId } = await newTenant()
  const requests: (string | null)[] = []
  for (const read of [30, 40, null]) {
    const answer = await setLimits(tenantId, { limits: { read } })
    requests.unshift(answer.headers.get('x-request-id'))
  }
  const pages: any[] = []
  let cursor = ''
  do {
    const { body } = await operate('GET', `/changes?subject=${tenantId}&limit=2${cursor}`)
    pages.push(body.data)
    cursor = body.has_more ? `&cursor=${body.next_cursor}` : ''
  } while (cursor !== '')
  expect(pages.map(({ length }) => length)).toEqual([2, 1])
  const change = (from: number | null, to: number | null) => [{ name: 'read', account_class: 'users', from, to }]
  expect(pages.flat().map(({ changes }) => changes)).toEqual([change(40, null), change(30, 40), change(null, 30)])
  expect(pages.flat().map(({ request_id }) => request_id)).toEqual(requests)
  expect(pages.flat()[0]).toMatchObject({ operator: 't1', subject: tenantId, tenant_id: tenantId })
  expect((await operate('GET', '/changes')).body.data.length).toBeGreaterThanOrEqual(3)
})

test('a request that names no limit changes nothing and leaves no row; a cursor that was made up is 422', async () => {
  const { tenantId } = await newTenant()
  expect((await setLimits(tenantId, {})).status).toBe(200)
  expect((await setLimits(tenantId, { limits: {} })).status).toBe(200)
  expect((await operate('GET', `/changes?subject=${tenantId}`)).body.data).toEqual([])
  expect((await operate('GET', '/changes?cursor=x')).status).toBe(422)
})
