import type { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { hubClient } from '../../src/hub/index.ts'

const unavailable = { code: 'dependency_unavailable' }

test('a hub that does not answer holds up no consumer and no sweep: its calls end at a deadline', async () => {
  const never = () => new Promise(() => {})
  const stub = {
    deny: never,
    push: never,
    reserveDeliveries: never,
    endDeliveries: never,
    missingSockets: never,
    closeWithoutRights: never,
  }
  const mute = { getByName: () => stub } as unknown as typeof env.USER_HUB
  const hub = hubClient(mute, undefined, 20)('00mute')
  await expect(hub.deny({ ids: ['key_1'] })).rejects.toMatchObject(unavailable)
  await expect(hub.push([])).rejects.toMatchObject(unavailable)
  await expect(hub.reserveDeliveries('sub_1', [false])).rejects.toMatchObject(unavailable)
  await expect(hub.endDeliveries(1)).rejects.toMatchObject(unavailable)
  await expect(hub.missingSockets(['req_1'])).rejects.toMatchObject(unavailable)
  await expect(hub.closeWithoutRights(['req_1'])).rejects.toMatchObject(unavailable)
})
