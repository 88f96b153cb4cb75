/** @module-tag shards */
import { expect, test } from 'vitest'
import { utf8 } from '../../../src/core/values/encoding.ts'
import { repeatErasures } from '../../../src/memory/erasures/repeat.ts'
import { receiptPrefix, storeReceipts } from '../../../src/memory/erasures/store-receipts.ts'
import { archiving, bucket } from '../../support/audit-objects.ts'
import { SECOND, travel } from '../../support/clock.ts'
import { runToItsEnd } from '../../support/erasures.ts'
import { newWriter, type Writer } from '../../support/memory.ts'
import { until } from '../../support/until.ts'
import { publish } from '../../support/webhooks.ts'
import { db, home, system } from '../../support/world.ts'

const withBucket = archiving().system

const stored = async (user: Writer, namespace: string): Promise<string> =>
  (await user.store({ content: `of ${namespace}`, context: { namespace } })).body.id

async function toItsEnd(user: Writer, id: string): Promise<void> {
  await runToItsEnd(id)
  expect((await user.send('GET', `/v1/erasures/${id}`)).body.status).toBe('erased')
}

async function erased(user: Writer, namespace: string): Promise<string> {
  const { body } = await user.send('POST', '/v1/erasures', { namespace })
  await toItsEnd(user, body.id)
  return body.id
}

/** What the run that is asked for did. */
async function repeated(): Promise<object | null> {
  travel(SECOND)
  const at = system.now()
  await db.write('insert into erasure_repeats (started_at) values (:at)', { at })
  await until(async () => expect(await repeatErasures(withBucket, db)).toBe(false))
  return db.first('select repeated, restored, unreadable from erasure_repeats where started_at = :at', { at })
}

test('a receipt is put into the bucket without the name, and a restored database is compared with it', async () => {
  const user = await newWriter()
  await stored(user, 'canary-ada')
  const [ada, grace] = [await erased(user, 'canary-ada'), await erased(user, 'grace')]
  await until(async () => expect(await storeReceipts(withBucket, db)).toBe(false))
  const key = `${receiptPrefix(home)}${user.tenantId}/${ada}.json`
  const text = new TextDecoder().decode((await bucket.get(key)) ?? new Uint8Array())
  expect(JSON.parse(text)).toMatchObject({ id: ada, tenant_id: user.tenantId, items: 1, status: 'erased' })
  expect(text).not.toContain('canary-ada')

  const before = await user.send('GET', `/v1/erasures/${grace}`)
  // As a restore leaves it: the rows are gone, and one namespace is back.
  await db.write('delete from erasures where tenant_id = :tenant', { tenant: user.tenantId })
  const back = await stored(user, 'canary-ada')
  const other = await stored(user, 'other')
  expect(await repeated()).toMatchObject({ repeated: 1, restored: 1, unreadable: 0 })
  expect((await user.store({ content: 'late', context: { namespace: 'canary-ada' } })).status).toBe(409)
  await toItsEnd(user, ada)
  expect((await user.get(back)).status).toBe(404)
  expect((await user.get(other)).status).toBe(200)
  expect((await user.send('GET', `/v1/erasures/${grace}`)).body).toEqual(before.body)
  expect(await repeated()).toMatchObject({ repeated: 0, restored: 0 })
})

test('a namespace that has only retired items is erased again', async () => {
  const user = await newWriter()
  const ada = await erased(user, 'only-retired')
  await until(async () => expect(await storeReceipts(withBucket, db)).toBe(false))
  await db.write('delete from erasures where tenant_id = :tenant', { tenant: user.tenantId })
  const back = await stored(user, 'only-retired')
  await user.send('POST', `/v1/memory/items/${back}/retire`)
  expect(await repeated()).toMatchObject({ repeated: 1 })
  await toItsEnd(user, ada)
  expect((await user.get(back)).status).toBe(404)
})

test('a subject and a namespace that are left in events alone are erased again', async () => {
  const user = await newWriter()
  const said = (data: object) => publish(user, { text: 'hello', ...data }, { project_id: user.projectId })
  const request = async (what: object): Promise<string> => {
    const { body } = await user.send('POST', '/v1/erasures', what)
    await toItsEnd(user, body.id)
    return body.id
  }
  const ids = [await request({ subject: 'Zo\u00eb' }), await request({ namespace: 'only-in-events' })]
  await until(async () => expect(await storeReceipts(withBucket, db)).toBe(false))
  await db.write('delete from erasures where tenant_id = :tenant', { tenant: user.tenantId })
  // As a restore leaves them: the first in the form in which it was published.
  const back = [await said({ subject: 'Zoe\u0308' }), await said({ namespace: 'only-in-events' })]
  const others = [
    await said({ subject: 'another' }),
    await said({ subject: ['Zo\u00eb'] }),
    await said({ subject: 'Zo\u00eb'.repeat(500) }),
  ]
  expect(await repeated()).toMatchObject({ repeated: 2, restored: 0 })
  for (const id of ids) await toItsEnd(user, id)
  const dataOf = async (id: string) =>
    (await db.first<{ data: string }>('select data from events where id = :id', { id }))?.data
  for (const id of back) expect(await dataOf(id)).toBe('{}')
  for (const id of others) expect(await dataOf(id)).toContain('hello')
  expect((await user.send('GET', `/v1/erasures/${ids[0]}`)).body.counts).toMatchObject({ items: 0, events: 1 })
})

test('a damaged receipt, and one of a key that is gone, are told; the others are compared', async () => {
  const user = await newWriter()
  const id = await erased(user, 'ada')
  await until(async () => expect(await storeReceipts(withBucket, db)).toBe(false))
  await db.write('delete from erasures where id = :id', { id })
  const key = `${receiptPrefix(home)}${user.tenantId}/${id}.json`
  const bytes = (await bucket.get(key)) ?? new Uint8Array()
  const put = async (text: string) => {
    const body = utf8(text)
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', body))
    await bucket.put(key, body, Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join(''))
  }
  await put('{')
  expect(await repeated()).toMatchObject({ unreadable: 1 })
  const receipt = JSON.parse(new TextDecoder().decode(bytes))
  await put(JSON.stringify({ ...receipt, name_hmac: `gone.${receipt.name_hmac}` }))
  expect(await repeated()).toMatchObject({ unreadable: 1 })
  await put(JSON.stringify(receipt))
  expect(await repeated()).toMatchObject({ restored: 1, unreadable: 0 })
})

test('without a bucket nothing is stored and nothing is asked', async () => {
  const none = { ...system, auditObjects: null }
  expect([await storeReceipts(none, db), await repeatErasures(none, db)]).toEqual([false, false])
})
