/** @module-tag long */
import { expect, test } from 'vitest'
import type { Database } from '../../../src/core/database/database.ts'
import { portions } from '../../../src/core/values/portions.ts'
import { rewriteIndex } from '../../../src/memory/erasures/rewrite.ts'
import { HOUR, travel } from '../../support/clock.ts'
import { runToItsEnd } from '../../support/erasures.ts'
import { newWriter } from '../../support/memory.ts'
import { newReceiver } from '../../support/receiver.ts'
import { until } from '../../support/until.ts'
import { attemptsOf, deliveriesOf, publish, subscribe } from '../../support/webhooks.ts'
import { db, home, system } from '../../support/world.ts'

/** Ends each canary, so that one look finds them all. */
const MARK = 'kwqjx'

/** No word of these is stemmed, or begins as another word does. */
const CANARY = {
  text: `qzvtext${MARK}`,
  earlier: `qxvearlier${MARK}`,
  tag: `qzvtag${MARK}`,
  customId: `qzvcustom${MARK}`,
  document: `qzvdocument${MARK}`,
  session: `qzvsession${MARK}`,
  metadata: `qzvmetadata${MARK}`,
  conversation: `qzvconversation${MARK}`,
  namespace: `qzvnamespace${MARK}`,
  subject: `qzvsubject${MARK}`,
  speaker: `qzvspeaker${MARK}`,
  reason: `qzvreason${MARK}`,
  message: `qzvmessage${MARK}`,
  reply: `qzvreply${MARK}`,
}

/** `table canary` of each canary in a table of a database, in texts and in blobs. FTS5 leaves out the first letters of a term that the one before has too. */
async function findIn(database: Database): Promise<string[]> {
  const columns = await database.all<{ name: string; columns: string }>(
    `select t.name, json_group_array(c.name) as columns from sqlite_master t cross join pragma_table_info(t.name) c
     where t.type = 'table' and t.sql not like '%fts5vocab%' and t.name not like '_cf_%' group by t.name`,
  )
  const canaries = JSON.stringify(Object.entries(CANARY).map(([kind, text]) => [kind, text.slice(3)]))
  const rows = await database.batch<{ found: string }[]>(
    columns.map(({ name, columns: of }) => {
      const has = (text: string) => {
        const holds = (JSON.parse(of) as string[]).map((column) => `instr(cast("${column}" as blob), ${text})`)
        // D1 bounds the depth of an expression.
        return Array.from(portions(holds, 20), (group) => `(${group.join(' or ')})`).join(' or ')
      }
      return database.statement(
        `with marked as materialized (select * from "${name}" where ${has('cast(:mark as blob)')})
         select '${name} ' || (k.value ->> 0) as found from json_each(:canaries) k
         where exists (select 1 from marked where ${has('cast(k.value ->> 1 as blob)')})`,
        { canaries, mark: MARK },
      )
    }),
  )
  return rows.flat().map(({ found }) => found)
}

test('when the index has been rewritten, no row and no blob of any database holds what was erased', async () => {
  const user = await newWriter()
  for (let nth = 0; nth < 4; nth += 1)
    await user.send('POST', '/api/memory/batch', {
      operations: Array.from({ length: 50 }, (_, n) => ({ op: 'store', content: `filler ${nth} ${n} of nobody` })),
    })
  const receiver = newReceiver(
    ({ body }) => new Response(body.includes(CANARY.conversation) ? `got ${CANARY.reply} ${body}` : 'got it'),
  )
  const subscription = await subscribe(user, receiver, {
    channels: ['conversation', 'memory'],
    events: ['message.new', 'memory.created'],
  })
  const item = {
    content: { text: CANARY.earlier, metadata: { [CANARY.metadata]: CANARY.metadata } },
    context: {
      namespace: CANARY.namespace,
      conversation_id: CANARY.conversation,
      document_id: CANARY.document,
      session_id: CANARY.session,
      subject: CANARY.subject,
    },
    tags: [CANARY.tag],
    custom_id: CANARY.customId,
  }
  const { body: stored } = await user.store(item)
  await user.send('PATCH', `/v1/memory/items/${stored.id}`, {
    content: `${CANARY.speaker.toUpperCase()}: ${CANARY.text}`,
  })
  expect(await db.first('select speaker_key from memory_items where id = :id', { id: stored.id })).toEqual({
    speaker_key: CANARY.speaker,
  })
  await until(async () => expect((await user.get(stored.id)).body.embedding_status).toBe('completed'), {
    everyMs: 200,
  })
  const message = { conversation_id: CANARY.conversation, text: CANARY.message }
  // A retired item is erased too, with the reason.
  await user.send('POST', `/v1/memory/items/${stored.id}/retire`, { reason: CANARY.reason })
  const event = await publish(user, message, { project_id: user.projectId })
  const other = await publish(user, { text: 'of another conversation' }, { project_id: user.projectId })
  await until(async () => {
    const rows = await deliveriesOf(subscription)
    expect(rows.every(({ status }) => status === 'delivered')).toBe(true)
    expect(rows.map(({ event_id }) => event_id)).toEqual(expect.arrayContaining([event, other]))
  })
  const kinds = (found: readonly string[]) => new Set(found.map((one) => one.split(' ')[1]))
  expect(kinds(await findIn(db))).toEqual(new Set(Object.keys(CANARY)))
  expect(await findIn(db)).toEqual(
    expect.arrayContaining(['memory_words_data text', 'memory_versions earlier', 'delivery_attempts reply']),
  )

  const { body: erasure } = await user.send('POST', '/v1/erasures', { subject: CANARY.subject })
  const receipt = async () => (await user.send('GET', `/v1/erasures/${erasure.id}`)).body
  await runToItsEnd(erasure.id)
  expect(await receipt()).toMatchObject({ status: 'erased', counts: { items: 1, versions: 1, vectors: 1 } })
  // The index holds its words until its segments are merged.
  expect((await findIn(db)).filter((one) => !one.startsWith('memory_words_data'))).toEqual([])
  await until(
    async () => {
      await rewriteIndex(system, db)
      expect((await receipt()).status).toBe('completed')
    },
    { everyMs: 200 },
  )
  expect((await receipt()).index_rewritten_at).toEqual(expect.any(String))
  expect(await findIn(db)).toEqual([])
  expect(await findIn(system.auditDatabase(home))).toEqual([])
  // What else was said stays, and so does its reply.
  expect(await db.first('select data from events where id = :id', { id: other })).toMatchObject({
    data: expect.stringContaining('another'),
  })
  const [kept] = (await deliveriesOf(subscription)).filter(({ event_id }) => event_id === other)
  expect(await attemptsOf(kept?.id ?? '')).toMatchObject([{ response: expect.stringContaining('got') }])
  expect((await user.send('GET', `/v1/memory/items?limit=1`)).body.data).toHaveLength(1)
  travel(HOUR)
  // The next run waits until a day has passed.
  const { body: next } = await user.send('POST', '/v1/erasures', { namespace: 'another' })
  await runToItsEnd(next.id)
  await rewriteIndex(system, db)
  expect((await user.send('GET', `/v1/erasures/${next.id}`)).body.status).toBe('erased')
  travel(24 * HOUR)
  await until(async () => {
    await rewriteIndex(system, db)
    // The session has ended by then.
    const row = await db.first('select status from erasures where id = :id', { id: next.id })
    expect(row).toEqual({ status: 'completed' })
  })
})
