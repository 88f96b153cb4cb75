import { vi } from 'vitest'

export interface Received {
  url: string
  method: string
  headers: Record<string, string>
  body: string
  redirect: string | undefined
}

type Answer = (request: Received, count: number) => Response | Promise<Response>

const receivers = new Map<string, { received: Received[]; answer: Answer }>()
let count = 0

/** The network of the tests holds their receivers and nothing else: no test asks a real name server or host. */
vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
  const request = new Request(input, init)
  const one = receivers.get(new URL(request.url).host)
  if (!one) throw new TypeError(`no such host: ${request.url}`)
  const received = {
    url: request.url,
    method: request.method,
    headers: Object.fromEntries(request.headers),
    body: await request.text(),
    redirect: init?.redirect,
  }
  one.received.push(received)
  return one.answer(received, one.received.length)
})

/** A webhook receiver on a host of its own; `answer` may be exchanged. */
export function newReceiver(answer: Answer = () => new Response('ok')) {
  const host = `receiver-${(count += 1)}.example.com`
  const receiver = { url: `https://${host}/hook`, received: [] as Received[], answer }
  receivers.set(host, receiver)
  return receiver
}
export type Receiver = ReturnType<typeof newReceiver>
