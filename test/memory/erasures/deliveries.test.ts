import { expect, test } from 'vitest'
import { runToItsEnd } from '../../support/erasures.ts'
import { newWriter } from '../../support/memory.ts'
import { newReceiver } from '../../support/receiver.ts'
import { deliveriesOf, publish, settled, subscribe } from '../../support/webhooks.ts'

test('contract §3: a waiting delivery of an emptied event expires, and the receipt counts it', async () => {
  const user = await newWriter()
  const subscription = await subscribe(
    user,
    newReceiver(() => new Response('not now', { status: 503 })),
    { events: ['message.new'] },
  )
  await user.store({ content: 'of ada', context: { namespace: 'ada', conversation_id: 'alone' } })
  await publish(user, { conversation_id: 'alone', text: 'hello' }, { project_id: user.projectId })
  await settled(subscription, { status: 'pending', attempts: 1 })
  const { body } = await user.send('POST', '/v1/erasures', { namespace: 'ada' })
  await runToItsEnd(body.id)
  expect((await user.send('GET', `/v1/erasures/${body.id}`)).body).toMatchObject({
    status: 'erased',
    counts: { items: 1, deliveries: 1 },
  })
  expect(await deliveriesOf(subscription)).toMatchObject([{ status: 'expired' }])
})
