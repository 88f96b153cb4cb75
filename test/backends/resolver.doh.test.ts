import { expect, test } from 'vitest'
import { dohResolver } from '../../src/backends/resolver.doh.ts'
import { ResolverSilent } from '../../src/core/http/resolver-silent.ts'
import { endlessResponse } from '../support/endless.ts'

const answering = (answer: (type: string | null) => Response, asked: string[] = []) =>
  dohResolver(async (input) => {
    const url = new URL(input instanceof Request ? input.url : input)
    asked.push(`${url.searchParams.get('name')} ${url.searchParams.get('type')}`)
    return answer(url.searchParams.get('type'))
  })

test('it asks for both kinds of address and leaves other records out', async () => {
  const asked: string[] = []
  const resolver = answering(
    (type) =>
      Response.json({
        Status: 0,
        Answer: [
          { name: 'a.example', type: 5, TTL: 60, data: 'b.example.' },
          type === 'A' ? { type: 1, data: '93.184.215.14' } : { type: 28, data: '2606:2800::1' },
        ],
      }),
    asked,
  )
  expect(await resolver.addresses('a.example')).toEqual(['93.184.215.14', '2606:2800::1'])
  expect(asked).toEqual(['a.example A', 'a.example AAAA'])
})

test('a name that does not exist has no address', async () => {
  expect(await answering(() => Response.json({ Status: 3 })).addresses('a.example')).toEqual([])
})

test.each<[string, boolean, () => Response]>([
  ['a server failure about the name', false, () => Response.json({ Status: 2 })],
  ['a refusal of the name', false, () => new Response(null, { status: 400 })],
  ['an answer that is no DNS', true, () => new Response('<html>')],
  ['an HTTP error', true, () => new Response(null, { status: 500 })],
  [
    'a network that is down',
    true,
    () => {
      throw new TypeError('network down')
    },
  ],
])('%s throws; the resolver itself is silent: %s', async (_, silent, answer) => {
  const error: unknown = await answering(answer)
    .addresses('a.example')
    .catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(Error)
  expect(error instanceof ResolverSilent).toBe(silent)
})

test('security 37: of an answer that never ends, a bounded part is read', async () => {
  const all: ReturnType<typeof endlessResponse>[] = []
  const resolver = answering(() => {
    const endless = endlessResponse()
    all.push(endless)
    return endless.response
  })
  await expect(resolver.addresses('a.example')).rejects.toThrow('more addresses')
  expect(all[0]?.taken()).toBeLessThan(1024 * 1024)
})
