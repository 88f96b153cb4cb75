import { expect, test } from 'vitest'
import { requireTarget } from '../../../src/events/subscriptions/target.ts'
import { system } from '../../support/world.ts'

/** The configuration of production, which allows no private target. */
const check = (url: string, addresses: () => Promise<string[]> = async () => ['93.184.215.14']) =>
  requireTarget(
    {
      config: { ...system.config, allowPrivateWebhooks: false, publicHosts: ['recollect.example'] },
      client: { ip: '192.0.2.1', userAgent: '', origin: 'https://api.recollect.example' },
      resolver: { addresses },
    },
    url,
  )

test('creation accepts a public HTTPS URL', async () => {
  await expect(check('https://hooks.example.com/in')).resolves.toBeUndefined()
})

test.each([
  ['http://hooks.example.com/in', 'https_required'],
  ['https://10.0.0.1/', 'private_target'],
  ['https://api.recollect.example/', 'own_service'],
  ['https://recollect.example/api/events/publish', 'own_service'],
])('security 36: creation refuses %s as 422 %s', async (url, code) => {
  await expect(check(url)).rejects.toMatchObject({ status: 422, errors: [{ path: 'delivery.url', code }] })
})

test('security 36: creation refuses a name that resolves into a private network', async () => {
  await expect(check('https://hooks.example.com/', async () => ['127.0.0.1'])).rejects.toMatchObject({ status: 422 })
})

test('a name without an answer is accepted, because it is checked before each attempt', async () => {
  await expect(
    check('https://hooks.example.com/', () => Promise.reject(new Error('no answer'))),
  ).resolves.toBeUndefined()
})
