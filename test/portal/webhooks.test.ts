/** @module-tag long */
import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { MAX_DELIVERIES } from '../../src/events/index.ts'
import { DAY, HOUR } from '../support/clock.ts'
import { newPerson } from '../support/oauth.ts'
import { observedDatabase } from '../support/observed-database.ts'
import { Browser, locationOf } from '../support/portal.ts'
import { newReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import { settled, storeDeliveries, subscribe } from '../support/webhooks.ts'
import { call, db, system } from '../support/world.ts'

test('a webhook is made, paused, resumed and deleted; its secret is shown once for each request', async () => {
  const browser = new Browser(await newPerson())
  const fields = { url: 'http://127.0.0.1:9/hook', channel: 'memory', project_id: '' }
  const bad = await browser.send('/portal/webhooks/new', '/portal/webhooks', { ...fields, headers: 'no colon' })
  expect({ status: bad.status, told: bad.text.includes('One header per line') }).toEqual({ status: 422, told: true })
  const made = await browser.send('/portal/webhooks/new', '/portal/webhooks', {
    ...fields,
    headers: 'X-Mine: hidden-value',
  })
  const path = locationOf(made)
  expect(path).toMatch(/^\/portal\/webhooks\/sub_/)
  const page = await browser.open(path)
  expect(page.text).not.toMatch(/whsec_|hidden-value/)
  await browser.send(path, `${path}/secret`)
  expect((await browser.open(path)).text).toMatch(/whsec_[A-Za-z0-9+/=]{20,}/)
  expect((await browser.open(path)).text).not.toContain('whsec_')
  await browser.send(path, `${path}/pause`)
  expect((await browser.open(path)).text).toContain('Paused')
  await browser.send(path, `${path}/resume`)
  expect((await browser.open(path)).text).toContain('<span class="badge">Never delivered</span>')
  const range = await browser.send(path, `${path}/recover`, { since: 'yesterday', until: '2026-01-01' })
  expect(range.status).toBe(422)
  expect(locationOf(await browser.send(path, `${path}/delete`))).toBe('/portal/webhooks')
  expect((await browser.open(path)).status).toBe(404)
})

test('a delivery is sent again and failures are recovered; the secret is rotated; a 410 disables it with a reason', async () => {
  const browser = new Browser(await newPerson())
  const receiver = newReceiver(() => new Response('broken here', { status: 500 }))
  const fields = { url: receiver.url, channel: 'memory', project_id: '' }
  const path = locationOf(await browser.send('/portal/webhooks/new', '/portal/webhooks', fields))
  const id = path.split('/').at(-1) ?? ''
  await browser.send(path, `${path}/test`)
  const delivery = await settled(id, { status: 'pending', attempts: 1, last_status_code: 500 })
  const page = `${path}/deliveries/${delivery.id}`
  expect((await browser.open(page)).text).toContain('broken here')

  receiver.answer = () => new Response('thanks')
  await browser.send(page, `${page}/retry`)
  expect((await browser.open(path)).text).toContain('It is being sent again.')
  await settled(id, { status: 'delivered', last_status_code: 200 })
  expect((await browser.open(page)).text).toMatch(/Attempt 2.*thanks.*Attempt 1.*broken here/s)
  await browser.send(path, `${path}/recover`, { since: '2020-01-01', until: '2020-01-02' })
  expect((await browser.open(path)).text).toContain('Failed deliveries from that time are being sent again.')

  const shown = async (action: string): Promise<string> => {
    await browser.send(path, `${path}/${action}`)
    return /whsec_[\w+/=]+/.exec((await browser.open(path)).text)?.[0] ?? ''
  }
  const before = await shown('secret')
  const after = await shown('secret/rotate')
  expect([before, after]).toEqual([expect.stringMatching(/^whsec_/), expect.stringMatching(/^whsec_/)])
  expect(after).not.toBe(before)

  receiver.answer = () => new Response(null, { status: 410 })
  await browser.send(path, `${path}/test`)
  await until(
    async () =>
      expect((await browser.open(path)).text).toContain(
        'Your server responded with 410: it does not want any more events.',
      ),
    { everyMs: 200 },
  )
})

test('a webhook whose receiver is down is amber with its start, on its page, in the list and on the overview; a success ends it', async () => {
  const person = await newPerson()
  const [browser, stranger] = [new Browser(person), new Browser(await newPerson())]
  const receiver = newReceiver(() => new Response(null, { status: 503 }))
  const path = locationOf(
    await browser.send('/portal/webhooks/new', '/portal/webhooks', { url: receiver.url, channel: 'memory' }),
  )
  const id = path.split('/').at(-1) ?? ''
  const pages = [path, '/portal/webhooks', '/portal']
  const textsOf = async () => Promise.all(pages.map(async (page) => (await browser.open(page)).text))
  expect((await textsOf()).map((text) => text.includes('Failing since'))).toEqual([false, false, false])

  await browser.send(path, `${path}/test`)
  const { id: deliveryId } = await settled(id, { status: 'pending', attempts: 1 })
  const down = await textsOf()
  for (const text of down) expect(text).toMatch(/<span class="badge badge-warn"><span>Failing since <time/)
  expect(down[0]).toMatch(/the last one with “503”[^]*1 delivery waits/)
  expect(down[0]).toMatch(/<dt>Waiting<\/dt><dd>1<\/dd>/)
  expect(down[1]).toContain('0 of 1 delivered')
  expect(down[2]).toContain('A webhook does not deliver')
  expect((await stranger.open('/portal')).text).not.toContain('does not deliver')

  receiver.answer = () => new Response('ok')
  await browser.send(path, `${path}/deliveries/${deliveryId}/retry`)
  await settled(id, { status: 'delivered' })
  const up = await textsOf()
  for (const text of up) expect(text).not.toMatch(/Failing since|does not deliver/)
  expect(up[0]).toMatch(/<dt>Last 24 hours<\/dt><dd>1 of 1 delivered<\/dd>/)
  expect(up[1]).toContain('<span class="badge badge-ok">Active</span>')
})

test('what was never recorded is not said: of an old webhook it is unknown what came before', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  const id = await subscribe(person, newReceiver())
  const page = `/portal/webhooks/${id}`
  const facts = async () => (await browser.open(page)).text
  expect(await facts()).toMatch(/Never delivered<[^]*<dd>None yet<[^]*<dd>Never</)
  await db.write('update subscriptions set created_at = :at where id = :id', { at: system.now() - 31 * DAY, id })
  expect(await facts()).toMatch(/Nothing delivered in 30 days<[^]*<dd>Not recorded<[^]*<dd>Not in 30 days</)
  // A run that an older Worker began, of a webhook of today.
  const failing = { created: system.now(), since: system.now() - HOUR, id }
  await db.write('update subscriptions set created_at = :created, failing_since = :since where id = :id', failing)
  expect(await facts()).toMatch(/Failing since[^]*<dd>Not recorded</)
})

test('a webhook of whose deliveries all failed without an attempt is amber; a success of the day makes it green', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  const id = await subscribe(person, newReceiver())
  const pages = [`/portal/webhooks/${id}`, '/portal/webhooks']
  const textsOf = async () => Promise.all(pages.map(async (page) => (await browser.open(page)).text))
  await storeDeliveries(person, id, system.now(), 'failed', 0, 0)
  const failed = await textsOf()
  for (const text of failed)
    expect(text).toContain('<span class="badge badge-warn">Nothing delivered in 24 hours</span>')
  expect(failed[0]).toContain('Nothing was delivered in the last 24 hours.')
  await storeDeliveries(person, id, system.now(), 'delivered', 1)
  for (const text of await textsOf()) expect(text).toContain('<span class="badge badge-ok">Active</span>')
})

test('a busy webhook shows its newest deliveries, and a quiet one beside it has no events', async () => {
  const person = await newPerson()
  const [busy] = [await subscribe(person, newReceiver()), await subscribe(person, newReceiver())]
  await storeDeliveries(person, busy, system.now(), 'delivered', ...Array.from({ length: MAX_DELIVERIES + 1 }, () => 1))
  const { text } = await new Browser(person).open('/portal/webhooks')
  expect(text).toContain('5,000 of the newest 5,000 delivered')
  expect(text).toContain('No events')
})

test('a webhook that is deleted while the list is read costs the list its last day, and nothing else', async () => {
  const person = await newPerson()
  const [kept, deleted] = [await subscribe(person, newReceiver()), await subscribe(person, newReceiver())]
  await storeDeliveries(person, kept, system.now(), 'delivered', 1)
  let deletions = 0
  const DB = observedDatabase(env.DB, async (trip, sql) => {
    // Right before the series looks for the webhooks that the list named.
    if (sql.some((one) => one.startsWith('select s.id from subscriptions s'))) {
      deletions += 1
      await db.write('delete from subscriptions where id = :id', { id: deleted })
    }
    return trip()
  })
  const bindings = { ...env, DB }
  const page = await createApp().request(
    '/portal/webhooks',
    { headers: person.cookie },
    bindings,
    createExecutionContext(),
  )
  const text = await page.text()
  expect({ status: page.status, deletions }).toEqual({ status: 200, deletions: 1 })
  expect(text).toContain(`href="/portal/webhooks/${kept}"`)
  expect(text).toContain('<span class="badge badge-ok">Active</span>')
  expect(text).not.toContain('Last 24 hours')
  const later = (await new Browser(person).open('/portal/webhooks')).text
  expect(later).toMatch(/Last 24 hours[^]*1 of 1 delivered/)
  expect(later).not.toContain(deleted)
})

test('a failing webhook is on the overview however many newer ones work; each row of a list shows its own last day', async () => {
  const person = await newPerson()
  const failing = await subscribe(person, newReceiver())
  await db.write('update subscriptions set failing_since = :at, created_at = :at where id = :id', {
    at: system.now() - HOUR,
    id: failing,
  })
  await storeDeliveries(person, failing, system.now(), 'failed', 0)
  const copies = Array.from({ length: 101 }, () => system.newId('sub'))
  const columns = `tenant_id, user_id, routing_id, credential_kind, credential_id, scopes, channels, event_types, filters, url, secret,
    status, updated_at`
  await db.write(
    `insert into subscriptions (id, created_at, ${columns})
     select value, :now + key, ${columns} from json_each(:ids), subscriptions s where s.id = :id`,
    { ids: JSON.stringify(copies), now: system.now(), id: failing },
  )
  const browser = new Browser(person)
  const overview = (await browser.open('/portal')).text
  expect(overview).toContain('A webhook does not deliver')
  expect(overview).toContain(`href="/portal/webhooks/${failing}"`)

  let list = (await browser.open('/portal/webhooks')).text
  const next = () => /href="([^"]*cursor=[^"]*)"/.exec(list)?.[1]?.replaceAll('&amp;', '&')
  for (let nth = 0; nth < 5; nth += 1) list = (await browser.open(next() ?? '')).text
  expect(list).toContain('0 of 1 delivered')
  expect(list).toContain('No events')

  await db.write('update subscriptions set failing_since = :now where id in (select value from json_each(:ids))', {
    now: system.now(),
    ids: JSON.stringify(copies.slice(0, 3)),
  })
  expect((await browser.open('/portal')).text).toMatch(
    /4 webhooks do not deliver[^]*<a href="\/portal\/webhooks\?health=failing">1 more/,
  )
  const troubled = (await browser.open('/portal/webhooks?health=failing')).text
  expect(troubled.match(/Failing since/g)).toHaveLength(4)
  expect(troubled).toContain('Show all webhooks')
})

test('a webhook whose key has ended is not on the overview, for nothing can be done about it', async () => {
  const person = await newPerson()
  const id = await subscribe(person, newReceiver())
  const browser = new Browser(person)
  await db.write("update subscriptions set status = 'disabled', disabled_reason = 'gone' where id = :id", { id })
  expect((await browser.open('/portal')).text).toContain('A webhook does not deliver')
  await call('DELETE', `/v1/api-keys/${person.keyId}`, { headers: person.session })
  expect((await browser.open(`/portal/webhooks/${id}`)).text).toContain('The key or app that created it has ended.')
  expect((await browser.open('/portal')).text).not.toContain('does not deliver')
})

test('a page that a refused form answers names the address to read again', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  const page = `/portal/webhooks/${await subscribe(person, newReceiver())}`
  const refused = await browser.send(page, `${page}/recover`, { since: 'yesterday', until: 'today' })
  expect(refused.status).toBe(422)
  expect(refused.text).toContain(`data-self="${page}"`)
  expect((await browser.open(`${page}?status=failed`)).text).toContain(`data-self="${page}?status=failed"`)
})

test('a page says that a first attempt is under way, and that it is over; a disabled webhook is on the overview', async () => {
  const browser = new Browser(await newPerson())
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  const receiver = newReceiver(async () => {
    await held
    return new Response(null, { status: 410 })
  })
  const path = locationOf(
    await browser.send('/portal/webhooks/new', '/portal/webhooks', { url: receiver.url, channel: 'memory' }),
  )
  await browser.send(path, `${path}/test`)
  const under = (await browser.open(path)).text
  expect(under).toContain('A test event is on its way.')
  expect(under).toMatch(/data-part="deliveries" data-unsettled=""/)
  expect(under).toContain('Reload the page to see whether it was delivered.')
  release()
  await settled(path.split('/').at(-1) ?? '', { status: 'failed' })
  const over = (await browser.open(path)).text
  expect(over).not.toMatch(/data-unsettled|<noscript>/)
  expect(over).toContain('data-settled="The last delivery: Failed"')
  expect((await browser.open('/portal')).text).toMatch(/A webhook does not deliver[^]*badge-danger">Disabled/)
})

test('a delivery shows what was sent beside what came back, and a failure that is tried again how often it was', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  const broken = () =>
    new Response(
      new ReadableStream({
        pull: (controller) => controller.error(new Error('the connection ended')),
      }),
    )
  const receiver = newReceiver(broken)
  const { body } = await call('POST', '/api/events/subscriptions', {
    headers: person.session,
    body: { channels: ['memory'], delivery: { method: 'webhook', url: receiver.url, headers: { 'X-Mine': 'hidden' } } },
  })
  const path = `/portal/webhooks/${body.subscription_id}`
  await browser.send(path, `${path}/test`)
  const delivery = await settled(body.subscription_id, { status: 'pending', attempts: 1, last_status_code: 200 })
  const list = (await browser.open(path)).text
  expect(list).toContain('<span class="badge badge-warn">Retrying, 1 of 8</span>')
  expect(list).toContain('200, then interrupted')
  const { text } = await browser.open(`${path}/deliveries/${delivery.id}`)
  expect(text).toContain('200, then interrupted')
  expect(text).toContain('the connection ended before the whole response did. It counts as a failure.')
  const copied = [...text.matchAll(/data-copy="([^"]*)"/g)].map(([, value = '']) =>
    value.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&'),
  )
  expect(copied).toContain(JSON.stringify(JSON.parse(receiver.received[0]?.body ?? ''), null, 2))
  const line = copied.find((one) => one.startsWith('curl ')) ?? ''
  expect(line).toContain(`-H 'X-Mine: '"$X_MINE"`)
  expect(line).toContain(`--data-raw '${receiver.received[0]?.body}'`)
  expect(text).not.toContain('hidden</')
  const { secret } = (
    await call('GET', `/v1/events/subscriptions/${body.subscription_id}/secret`, { headers: person.session })
  ).body
  const headers = Object.fromEntries(
    [...line.matchAll(/-H '(webhook-\w+): ([^']+)'/g)].map(([, name, value]) => [name, value]),
  )
  expect(new Webhook(secret).verify(receiver.received[0]?.body ?? '', headers)).toBeTruthy()
})

test('a webhook is made for some events of one channel and all of another, and is changed on its page', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  const form = (await browser.open('/portal/webhooks/new')).text
  for (const type of ['memory.created', 'typing.stop', 'offering.updated', 'system.status'])
    expect(form).toContain(`name="type" value="${type}"`)

  const made = await browser.send('/portal/webhooks/new', '/portal/webhooks', {
    url: 'http://127.0.0.1:9/hook',
    channel: 'system',
    // A checked type includes its channel.
    type: ['memory.created', 'memory.deleted'],
    project_id: person.projectId,
    namespace: 'support',
    headers: 'X-Mine: hidden-value',
  })
  const path = locationOf(made)
  const subscription = async () =>
    (await call('GET', path.replace('/portal/webhooks', '/v1/events/subscriptions'), { headers: person.session })).body
  expect(await subscription()).toMatchObject({
    channels: ['memory', 'system'],
    events: ['memory.created', 'memory.deleted', 'system.notification', 'system.status', 'system.maintenance'],
    filters: { project_id: person.projectId, namespace: 'support' },
  })
  expect((await browser.open(path)).text).toMatch(
    new RegExp(`Only project.{0,60}title="${person.projectId}"><span>.{0,20}Default`, 's'),
  )
  const edit = `${path}/edit`
  const page = (await browser.open(edit)).text
  expect(page).toMatch(/name="type" value="memory.created" checked/)
  expect(page).toMatch(/name="type" value="memory.updated"\/>/)
  expect(page).toMatch(/name="namespace"[^>]*value="support"|value="support"[^>]*name="namespace"/)

  const own = { url: 'http://127.0.0.1:9/other', channel: 'memory', type: 'memory.created', own_channels: 'orders' }
  const unclear = await browser.send(edit, edit, own)
  expect(unclear.status).toBe(422)
  expect(unclear.text).toContain('list those of your own channels too')
  const stray = await browser.send(edit, edit, { ...own, own_types: 'no-such-name' })
  expect(stray.status).toBe(422)
  expect(stray.text).toContain('no-such-name')

  expect(locationOf(await browser.send(edit, edit, { ...own, own_types: 'order.shipped' }))).toBe(path)
  expect(await subscription()).toMatchObject({
    channels: ['memory', 'orders'],
    events: ['memory.created', 'order.shipped'],
    filters: {},
    delivery: { url: 'http://127.0.0.1:9/other' },
  })
  await browser.send(edit, edit, { url: 'http://127.0.0.1:9/other', channel: ['memory', 'conversation'] })
  expect(await subscription()).toMatchObject({ channels: ['conversation', 'memory'], events: [] })
})

test('stored headers of a webhook stay, are replaced or are dropped, as the form says', async () => {
  const person = await newPerson()
  const browser = new Browser(person)
  const receiver = newReceiver()
  const fields = { url: receiver.url, channel: 'memory' }
  const path = locationOf(
    await browser.send('/portal/webhooks/new', '/portal/webhooks', { ...fields, headers: 'X-Mine: first' }),
  )
  const changes = [{}, { headers: 'X-Mine: second' }, { drop_headers: 'on' }]
  for (const [at, change] of changes.entries()) {
    await browser.send(`${path}/edit`, `${path}/edit`, { ...fields, ...change })
    await browser.send(path, `${path}/test`)
    await until(() => expect(receiver.received).toHaveLength(at + 1))
  }
  expect(receiver.received.map(({ headers }) => headers['x-mine'])).toEqual(['first', 'second', undefined])
})
