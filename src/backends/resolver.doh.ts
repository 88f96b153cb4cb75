import { z } from 'zod'
import { readBeginning } from '../core/http/read-beginning.ts'
import { ResolverSilent } from '../core/http/resolver-silent.ts'
import type { Resolver } from '../core/ports.ts'

const ENDPOINT = 'https://cloudflare-dns.com/dns-query'
const DEADLINE_MS = 5_000
/** An answer of DNS has 64 KiB; in JSON its records are longer. */
const MAX_ANSWER_BYTES = 512 * 1024
const ADDRESS_TYPES = { A: 1, AAAA: 28 } as const
const NO_SUCH_NAME = 3

const Answer = z.object({
  Status: z.int(),
  Answer: z.array(z.object({ type: z.int(), data: z.string() })).optional(),
})

/** The resolver answered, and a stranger who chose the name may be the reason for what it answered. */
class BadName extends Error {}

/** Asks for names over HTTPS, because Workers have no resolver of their own: the JSON form of RFC 8484. */
export function dohResolver(fetcher: typeof fetch): Resolver {
  const ask = async (name: string, type: keyof typeof ADDRESS_TYPES): Promise<string[]> => {
    const answer = await request(name, type).catch((error: unknown) => {
      throw error instanceof BadName ? error : new ResolverSilent(error)
    })
    if (answer.Status !== 0 && answer.Status !== NO_SUCH_NAME) throw new Error(`DNS status ${answer.Status}`)
    return (answer.Answer ?? []).filter((one) => one.type === ADDRESS_TYPES[type]).map((one) => one.data)
  }
  const request = async (name: string, type: keyof typeof ADDRESS_TYPES): Promise<z.infer<typeof Answer>> => {
    const signal = AbortSignal.timeout(DEADLINE_MS)
    const response = await fetcher(`${ENDPOINT}?name=${encodeURIComponent(name)}&type=${type}`, {
      headers: { Accept: 'application/dns-json' },
      signal,
    })
    if (response.status === 400) throw new BadName('the resolver refuses the name')
    if (!response.ok) throw new Error(`the resolver answered ${response.status}`)
    const { text, whole } = await readBeginning(response, MAX_ANSWER_BYTES, signal)
    if (!whole) throw new BadName('the name has more addresses than are read')
    return Answer.parse(JSON.parse(text))
  }
  return {
    addresses: async (name) => (await Promise.all([ask(name, 'A'), ask(name, 'AAAA')])).flat(),
  }
}
