/** @module-tag shards */
import { expect, test } from 'vitest'
import { erase } from '../../../src/memory/erasures/request.ts'
import { runToItsEnd } from '../../support/erasures.ts'
import { newWriter, writerFor, type Writer } from '../../support/memory.ts'
import { ctxOf, losingQueues } from '../../support/search.ts'
import { addMember, db } from '../../support/world.ts'

const ADA = { namespace: 'n', subject: 'ada' }

/** Items about Ada: one current, one retired, and one retired of somebody else. */
async function storedAboutAda() {
  const owner = await newWriter()
  const member = await writerFor(await addMember(owner, 'editor'))
  const context = { ...ADA, project_id: owner.projectId }
  const { body: current } = await owner.store({ content: 'she drinks coffee', context })
  const { body: old } = await owner.store({ content: 'she drinks tea', context, custom_id: 'drink' })
  await owner.send('PATCH', `/v1/memory/items/${old.id}`, { content: 'she drinks green tea' })
  const { body: diary } = await member.store({ content: 'a diary', context, visibility: 'private' })
  for (const [user, id] of [
    [owner, old.id],
    [member, diary.id],
  ] as const)
    await user.send('POST', `/v1/memory/items/${id}/retire`, { reason: 'she drinks coffee now' })
  return { owner, current, old, diary, ids: [current.id, old.id, diary.id] as string[] }
}

const rowsOf = (ids: readonly string[]) =>
  db.all<Record<string, unknown>>('select * from memory_items where id in (select value from json_each(:ids))', {
    ids: JSON.stringify(ids),
  })

async function toItsEnd(user: Writer, id: string) {
  await runToItsEnd(id)
  return (await user.send('GET', `/v1/erasures/${id}`)).body
}

test.each([{ subject: 'ada' }, { namespace: 'n' }])(
  'contract §3: an erasure of %j erases retired items too, and counts them',
  async (name) => {
    const { owner, ids } = await storedAboutAda()
    const { body: other } = await owner.store({ content: 'about grace', context: { subject: 'grace' } })
    await owner.send('POST', `/v1/memory/items/${other.id}/retire`)
    const counts = { items: 3, retired: 2, versions: 1 }
    const dry = await owner.send('POST', '/v1/erasures', { ...name, dry_run: true })
    expect(dry.body.counts).toMatchObject(counts)
    const { body: erasure } = await owner.send('POST', '/v1/erasures', name)
    expect(await toItsEnd(owner, erasure.id)).toMatchObject({ status: 'erased', counts })
    expect(await rowsOf(ids)).toEqual([])
    expect((await owner.get(other.id)).body.status).toBe('retired')
  },
)

test('while it runs nothing is retired, restored or superseded there, and no item becomes a successor', async () => {
  const { owner, current, old } = await storedAboutAda()
  const context = { ...ADA, project_id: owner.projectId }
  const { body: plain } = await owner.store({ content: 'about nobody', context: { ...context, subject: undefined } })
  // No chain runs, so that the items wait.
  await erase(ctxOf(owner, { queues: losingQueues }), { subject: 'ada', dry_run: false })
  const refused = [
    owner.send('POST', `/v1/memory/items/${current.id}/retire`),
    owner.send('POST', `/v1/memory/items/${old.id}/restore`),
    owner.store({ content: 'news', context: { ...context, subject: undefined }, supersedes: [current.id] }),
    // An equal text that is found becomes the successor, and a new text of a custom_id restores its item.
    owner.store({ content: 'she drinks coffee', context, deduplicate: true, supersedes: [plain.id] }),
    owner.store({ content: 'she drinks water', context, custom_id: 'drink' }),
  ]
  const answers = await Promise.all(refused)
  expect(answers.map(({ status, body }) => [status, body.detail])).toEqual(
    answers.map(() => [409, expect.stringContaining('is being erased')]),
  )
  expect(await rowsOf([plain.id])).toMatchObject([{ retired_at: null, version: 1 }])
})
