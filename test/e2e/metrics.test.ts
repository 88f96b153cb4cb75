import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pythonEnvironment } from '../../tools/python/environment.ts'
import { until } from '../support/until.ts'
import { Agent } from './support/agent.ts'
import { hasPython } from './support/python.ts'
import { startServer, type Server } from './support/server.ts'

const run = promisify(execFile)
const METRICS_TOKEN = 'a-token-of-an-operator-for-scrapes'
const RETRIEVES = 'recollect_requests_total{method="GET",route="/api/memory/retrieve",status_class="2xx"}'
const INSTALL_MS = 240_000

/** The parser that the makers of Prometheus keep. It refuses what OpenMetrics 1.0 does not allow. */
const PARSER = 'prometheus_client==0.26.0'
const PARSE = `
import json, sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families
families = text_string_to_metric_families(sys.stdin.read())
print(json.dumps([[f.name, f.type, f.unit, [[s.name, s.labels, s.value] for s in f.samples]] for f in families]))
`

let state: string
let server: Server
beforeAll(async () => {
  state = await mkdtemp(join(tmpdir(), 'recollect-metrics-'))
  server = await start()
})
afterAll(async () => {
  await server.stop()
  await rm(state, { recursive: true, force: true })
})

const start = () =>
  startServer({ persistTo: join(state, 'v3'), staticAssets: false, vars: { LIMITS_FACTOR: '100', METRICS_TOKEN } })

async function scrape(): Promise<string> {
  const answer = await fetch(`${server.url}/metrics`, { headers: { Authorization: `Bearer ${METRICS_TOKEN}` } })
  expect(answer.status).toBe(200)
  return answer.text()
}

const valueOf = (text: string, series: string): number =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.slice(series.length + 1) ?? 0,
  )

/** Stores, retrieves and asks for what is not there; answers what a scrape says once it is counted. */
async function traffic(retrieves: number): Promise<string> {
  const agent = await Agent.signUp(server.url)
  const key = await agent.makeKey(['read:memory', 'write:memory'])
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' }
  const before = valueOf(await scrape(), RETRIEVES)
  const body = JSON.stringify({ content: 'A lighthouse.', wait_ms: 5_000 })
  const stored = await fetch(`${server.url}/api/memory/store`, { method: 'POST', headers, body })
  const { id } = (await stored.json()) as { id: string }
  for (let nth = 0; nth < retrieves; nth++)
    expect((await fetch(`${server.url}/api/memory/retrieve?id=${id}`, { headers })).status).toBe(200)
  await fetch(`${server.url}/no/such"path\\of%0Aa{client}`)
  await server.sweep()
  // A scrape is as old as ten seconds, and figures gather for two and a half.
  return until(
    async () => {
      const now = await scrape()
      expect(valueOf(now, RETRIEVES)).toBe(before + retrieves)
      return now
    },
    { everyMs: 500 },
  )
}

let scraped = ''

test('what a client did is counted, and a restart sets no total back', async () => {
  const before = await traffic(3)
  await server.stop()
  server = await start()
  scraped = await traffic(2)
  expect(valueOf(scraped, RETRIEVES)).toBe(5)
  const totals = before
    .split('\n')
    .filter((line) => /_(total|count|sum|bucket)[{ ]/.test(line) && !line.startsWith('#'))
  expect(totals.length).toBeGreaterThan(20)
  for (const line of totals) {
    const series = line.slice(0, line.lastIndexOf(' '))
    expect(valueOf(scraped, series), series).toBeGreaterThanOrEqual(valueOf(before, series))
  }
  expect(valueOf(scraped, 'recollect_embeddings_total{outcome="completed"}')).toBe(2)
  expect(scraped).not.toContain('such')
})

test.runIf(hasPython)(
  "the parser of Prometheus' own client takes what is printed",
  async () => {
    const { python } = await pythonEnvironment()
    const packages = join(state, 'packages')
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-cache-dir', '--no-compile']
    await run(python, [...pip, '--target', packages, PARSER])
    const script = join(state, 'parse.py')
    await writeFile(script, PARSE)
    const parse = async (text: string): Promise<[string, string, string, [string, object, number][]][]> => {
      const parsing = run(python, [script], {
        env: { ...process.env, PYTHONPATH: packages },
        maxBuffer: 64 * 1024 * 1024,
      })
      parsing.child.stdin?.end(text)
      return JSON.parse((await parsing).stdout)
    }
    const families = await parse(scraped)
    const types = new Map(families.map(([name, type, unit]) => [name, `${type} ${unit}`.trim()]))
    expect(types.get('recollect_requests')).toBe('counter')
    expect(types.get('recollect_request_duration_seconds')).toBe('histogram seconds')
    expect(types.get('recollect_database_size_bytes')).toBe('gauge bytes')
    expect(families.length).toBe(scraped.match(/^# TYPE /gm)?.length)
    const samples = families.flatMap(([, , , all]) => all)
    expect(samples.length).toBe(scraped.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length)
    // It is strict: what is cut off, or whose buckets fall, is refused.
    await expect(parse(scraped.replace('# EOF\n', ''))).rejects.toThrow('Command failed')
    await expect(parse(scraped.replace('le="+Inf"', 'le="9.0"'))).rejects.toThrow('Command failed')
  },
  INSTALL_MS,
)
