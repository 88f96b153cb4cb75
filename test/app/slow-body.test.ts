import { exports } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { travel } from '../support/clock.ts'
import { authorizeQuery, ask, csrfIn, newApp, newPerson, ORIGIN, type Person } from '../support/oauth.ts'
import { call, db } from '../support/world.ts'

/** Begins a request whose body comes when it is told to. */
function begin(path: string, headers: Record<string, string>, text: string) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const [first, rest] = [text.slice(0, 5), text.slice(5)].map((part) => new TextEncoder().encode(part))
  const answer = exports.default.fetch(
    new Request(`${ORIGIN}${path}`, { method: 'POST', headers, body: readable, redirect: 'manual' }),
  )
  return {
    /** Settles once the service reads, and so has let the request in. */
    isRead: writer.write(first),
    finish: async () => {
      await writer.write(rest)
      await writer.close()
      return (await answer).status
    },
  }
}

interface Slow {
  slow: ReturnType<typeof begin>
  /** What the request has made. */
  left: () => Promise<unknown[]>
}

const makeKey = async ({ session, userId }: Person): Promise<Slow> => ({
  slow: begin(
    '/v1/api-keys',
    { ...session, 'Content-Type': 'application/json' },
    JSON.stringify({ name: 'left behind', scopes: ['read:memory'] }),
  ),
  left: () => db.all(`select id from api_keys where user_id = :user and name = 'left behind'`, { user: userId }),
})

async function approve(person: Person): Promise<Slow> {
  const query = authorizeQuery(await newApp(person))
  const csrf = csrfIn((await ask(person, query)).text)
  return {
    slow: begin(
      `/auth/authorize?${query}`,
      { ...person.cookie, Origin: ORIGIN, 'Content-Type': 'application/x-www-form-urlencoded' },
      new URLSearchParams({ csrf, decision: 'approve' }).toString(),
    ),
    left: () => db.all('select id from oauth_grants where user_id = :user', { user: person.userId }),
  }
}

const remember = async ({ session, userId }: Person): Promise<Slow> => ({
  slow: begin(
    '/mcp',
    { ...session, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'store_memory', arguments: { content: 'The kettle is blue.' } },
    }),
  ),
  left: () => db.all('select id from memory_items where created_by = :user', { user: userId }),
})

test.each([
  ['an API key', makeKey],
  ['a grant', approve],
  ['a memory of an agent', remember],
])('security 46: %s is not made by a request whose session ended while its body came slowly', async (_, arrange) => {
  const person = await newPerson()
  const { slow, left } = await arrange(person)
  await slow.isRead
  expect((await call('POST', '/auth/logout', { headers: person.session })).status).toBe(204)
  travel(60_000)
  expect([401, 403]).toContain(await slow.finish())
  expect(await left()).toEqual([])
})

test.each([
  ['an API key', makeKey, 201],
  ['a memory of an agent', remember, 200],
] as const)('%s whose body comes slowly is made while its session lives', async (_, arrange, status) => {
  const person = await newPerson()
  const { slow, left } = await arrange(person)
  await slow.isRead
  travel(60_000)
  expect(await slow.finish()).toBe(status)
  expect(await left()).toHaveLength(1)
})
