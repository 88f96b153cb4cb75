import { Pool } from 'undici'

export interface LoadRequest {
  method: 'GET' | 'POST' | 'PATCH'
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
  /** Answers 429. No other figure includes them. */
  refused: number
  /** Other statuses and broken connections. */
  failed: number
}

/** Keeps `clients` requests under way for `seconds`, a connection each. The milliseconds are of whole 2xx answers only. */
export async function load(url: string, clients: number, seconds: number, next: () => LoadRequest): Promise<Figures> {
  const pool = new Pool(url, { connections: clients })
  const times: number[] = []
  let refused = 0
  let failed = 0
  const ask = async (): Promise<void> => {
    const startedAt = performance.now()
    const { statusCode, body } = await pool.request(next())
    await body.arrayBuffer()
    if (statusCode >= 200 && statusCode < 300) times.push(performance.now() - startedAt)
    else if (statusCode === 429) refused += 1
    else failed += 1
  }
  const beganAt = performance.now()
  const client = async (): Promise<void> => {
    while (performance.now() - beganAt < seconds * 1_000) {
      await ask().catch(() => {
        failed += 1
      })
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  const duration = (performance.now() - beganAt) / 1_000
  await pool.close()
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
  return { rate: times.length / duration, p50: at(0.5), p95: at(0.95), p99: at(0.99), refused, failed }
}
