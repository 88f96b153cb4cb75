import { Recollect, type RecollectOptions } from '../src/index.ts'

type Step = Response | Error | ((request: Request) => Response | Promise<Response>)

/** A client whose service answers each request with the next step; the last one stands for all that follow. */
export function clientOf(steps: Step[], options: Partial<RecollectOptions> = {}) {
  const sent: Request[] = []
  const waits: number[] = []
  const client = new Recollect({
    baseUrl: 'http://service.test/',
    credential: { apiKey: 'rck_x' },
    fetch: (async (url: string, init?: RequestInit) => {
      const request = new Request(url, init)
      sent.push(request.clone())
      const step = steps[Math.min(sent.length, steps.length) - 1]
      if (step instanceof Error) throw step
      if (typeof step === 'function') return step(request)
      return step?.clone() ?? new Response(null, { status: 204 })
    }) as typeof fetch,
    sleep: async (ms) => void waits.push(ms),
    random: () => 1,
    ...options,
  })
  return { client, sent, waits }
}

export const lost = () => new TypeError('fetch failed')

export const problem = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  Response.json(
    { type: 'about:blank', title: code, status, detail: `It is ${code}.`, code, request_id: 'req_1' },
    { status, headers: { 'Content-Type': 'application/problem+json', ...headers } },
  )

export const json = (value: unknown, status = 200): Response => Response.json(value, { status })

/** Never answers. With the signal of its request it ends as `fetch` does. */
export const silent = (request: Request): Promise<Response> =>
  new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason)))
