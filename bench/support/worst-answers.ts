import { MAX_GRANTS, MAX_TAGS, MAX_TEXT_CHARACTERS } from '../../src/memory/item.ts'
import { openAudience } from './audience.ts'
import type { Texts } from './texts.ts'
import { listRequests, TAG_NAMES } from './worst-requests.ts'
import { get, post, type Compare, type Next, type Users, type WorstTable } from './worst-table.ts'

const BATCH = 50
const PAGE = 100
/** Earlier texts that an item keeps (contract §3). */
const MAX_VERSIONS = 50
/** Letters of four bytes in runs: the widest text, of which few words are indexed. */
const WIDEST = `common ${'𐐨'.repeat(MAX_TEXT_CHARACTERS - 7)}`
/** All steps that a range may have: 400 (contract §4). */
const SERIES = { since: '2026-01-01T00:00:00Z', until: '2027-01-01T00:00:00Z', step: 'day' }

type Send = WorstTable['send']

/** The ids of what a path names, by the beginning of the path. */
export async function pathIds(send: Send, { caller }: Users, hook: string): Promise<Record<string, string>> {
  const answer = async <T>(request: ReturnType<typeof get>): Promise<T> =>
    JSON.parse((await send(request, caller)).text) as T
  const { data } = await answer<{ data: { id: string }[] }>(get('/v1/workspaces'))
  const { id, subscription_id: subscription } = await answer<{ id?: string; subscription_id?: string }>(
    post('/api/events/subscriptions', {
      channels: ['memory'],
      events: ['memory.created'],
      delivery: { method: 'webhook', url: hook },
    }),
  )
  const own = subscription ?? id ?? ''
  const stored = Array.from({ length: BATCH }, () => ({ op: 'store', content: 'delivered' }))
  for (let at = 0; at < 2 * PAGE; at += BATCH) await send(post('/api/memory/batch', { operations: stored }), caller)
  const { results } = await answer<{ results: { id: string }[] }>(
    post('/api/memory/batch', { operations: [{ op: 'store', content: 'version' }] }),
  )
  const item = results[0]?.id ?? ''
  for (let nth = 0; nth < MAX_VERSIONS; nth += 1) {
    await send(
      post('/api/memory/batch', { operations: [{ op: 'update', id: item, content: `version ${nth}` }] }),
      caller,
    )
  }
  let delivery = ''
  while (delivery === '') {
    const page = await answer<{ data: { id: string }[] }>(get(`/v1/events/subscriptions/${own}/deliveries`))
    delivery = page.data[0]?.id ?? ''
  }
  return {
    '/v1/workspaces': data[0]?.id ?? '',
    '/v1/events/subscriptions': own,
    '/v1/events/deliveries': delivery,
    '/v1/memory/items': item,
  }
}

/** Answers of the widest texts, against the same request for usual ones. */
export async function compareAnswers(compare: Compare, send: Send, users: Users, texts: Texts): Promise<void> {
  const { large, caller } = users
  const ofLarge =
    (request: ReturnType<typeof get>): Next =>
    () => ({ ...request, as: 'large' })
  const idsOf = async (user: typeof large, content: () => string, count: number): Promise<string[]> => {
    const ids: string[] = []
    for (let at = 0; at < count; at += BATCH) {
      const operations = Array.from({ length: BATCH }, () => ({ op: 'store', content: content() }))
      const { text } = await send(post('/api/memory/batch', { operations }), user)
      ids.push(...(JSON.parse(text) as { results: { id: string }[] }).results.map(({ id }) => id))
    }
    return ids
  }
  const [wide, short] = [
    await idsOf(large, () => WIDEST, PAGE),
    await idsOf(caller, () => `common ${texts.text(40)}`, BATCH),
  ]
  const [first = ''] = wide
  const [usual = ''] = short
  for (let nth = 0; nth < MAX_VERSIONS; nth += 1) {
    await send(
      {
        ...post('', { content: `${nth} ${WIDEST.slice(0, -40)}` }),
        method: 'PATCH',
        path: `/v1/memory/items/${first}`,
      },
      large,
    )
    await send({ ...post('', { content: `${nth} usual` }), method: 'PATCH', path: `/v1/memory/items/${usual}` }, caller)
  }
  await compare(
    'list, widest texts',
    () => get(`/v1/memory/items?limit=${PAGE}`),
    ofLarge(get(`/v1/memory/items?limit=${PAGE}`)),
  )
  await compare(
    'list with q, widest texts',
    () => get(`/v1/memory/items?limit=${PAGE}&q=common`),
    ofLarge(get(`/v1/memory/items?limit=${PAGE}&q=common`)),
  )
  for (const mode of ['hybrid', 'semantic', 'keyword']) {
    const search = () =>
      post('/api/memory/search', { query: `common ${texts.text(4)}`, mode, limit: PAGE, context: { namespace: '*' } })
    await compare(`search ${mode}, widest texts`, search, () => ({ ...search(), as: 'large' }))
  }
  await compare(
    'versions, widest texts',
    () => get(`/v1/memory/items/${usual}/versions?limit=${PAGE}`),
    ofLarge(get(`/v1/memory/items/${first}/versions?limit=${PAGE}`)),
  )
  for (const [name, operation] of [
    ['retrieves', { op: 'retrieve' }],
    ['updates', { op: 'update', tags: ['changed'] }],
  ] as const) {
    const batch = (ids: readonly string[]) =>
      post('/api/memory/batch', { operations: ids.slice(0, BATCH).map((id) => ({ ...operation, id })) })
    await compare(`batch of ${name}, widest texts, per operation`, () => batch(short), ofLarge(batch(wide)), BATCH)
  }
}

/** Writes with all grants and tags that an item may have. */
export async function compareGrants(compare: Compare, url: string, users: Users): Promise<void> {
  const { recipients } = await openAudience(url, MAX_GRANTS + 1, 0)
  const [owner, ...others] = recipients
  if (!owner) throw new Error('an audience has an owner')
  users.owner = { ...users.caller, session: owner.session }
  const item = (nth: number, granted: boolean): Record<string, unknown> => ({
    content: { text: `text ${nth}`, metadata: granted ? { pad: 'x'.repeat(16_000) } : {} },
    tags: granted ? TAG_NAMES.slice(0, MAX_TAGS) : ['tag'],
    visibility: 'private',
    permissions: (granted ? others : []).map(({ userId }) => ({ user_id: userId, access: 'read' })),
  })
  const items = (count: number, granted: boolean) => Array.from({ length: count }, (_, nth) => item(nth, granted))
  const batch =
    (granted: boolean): Next =>
    () => ({
      ...post('/api/memory/batch', { operations: items(BATCH, granted).map((one) => ({ op: 'store', ...one })) }),
      as: 'owner',
    })
  await compare('batch with all grants and tags, per operation', batch(false), batch(true), BATCH)
  const lines =
    (granted: boolean): Next =>
    () => ({
      method: 'POST',
      path: '/v1/memory/import',
      body: items(2 * BATCH, granted)
        .map((one) => JSON.stringify(one))
        .join('\n'),
      as: 'owner',
    })
  await compare('import with all grants and tags, per line', lines(false), lines(true), 2 * BATCH)
  const list = (): Next => () => ({ ...get(`/v1/memory/items?limit=${PAGE}`), as: 'owner' })
  await compare('list, all grants and tags', () => get(`/v1/memory/items?limit=${PAGE}`), list())
}

/** Sums over time with as many steps as may be, against those of a day. */
export async function compareSeries(compare: Compare): Promise<void> {
  const query = new URLSearchParams(SERIES).toString()
  for (const path of ['/v1/usage', '/v1/usage/series', '/v1/events/delivery-series']) {
    await compare(
      `GET ${path}`,
      () => get(path),
      () => get(`${path}?${query}`),
    )
  }
}

/** Lists of the API, by their schemas. */
export async function compareLists(compare: Compare, ids: Readonly<Record<string, string>>): Promise<void> {
  for (const { name, median, worst } of listRequests(ids)) {
    try {
      await compare(
        name,
        () => median,
        () => worst,
      )
    } catch (error) {
      console.log(`${name.padEnd(46)} not measured: ${String(error).slice(0, 100)}`)
    }
  }
}
