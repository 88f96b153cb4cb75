import autocannon from 'autocannon'

export interface LoadRequest {
  method: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: string
}

export interface Figures {
  /** Answers 2xx a second. */
  rate: number
  p50: number
  p95: number
  p99: number
  /** Answers 429, which are in no other figure. */
  refused: number
  /** Everything else: other statuses, broken connections. */
  failed: number
}

/** Keeps `clients` requests under way for `seconds`; milliseconds are of 2xx answers only. */
export async function load(url: string, clients: number, seconds: number, next: () => LoadRequest): Promise<Figures> {
  const times: number[] = []
  let refused = 0
  let failed = 0
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const options: autocannon.Options = {
      url,
      connections: clients,
      duration: seconds,
      // One generator for all connections: each request is made when it is its turn.
      requests: [{ setupRequest: (request) => ({ ...request, ...next() }) }],
    }
    const run = autocannon(options, (error: Error | null, done) => (error ? reject(error) : resolve(done)))
    run.on('response', (_client, status, _bytes, milliseconds) => {
      if (status >= 200 && status < 300) times.push(milliseconds)
      else if (status === 429) refused += 1
      else failed += 1
    })
  })
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
  return {
    rate: times.length / result.duration,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    refused,
    failed: failed + result.errors,
  }
}
