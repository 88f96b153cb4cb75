import { createExecutionContext, env } from 'cloudflare:test'
import { createApp } from '../../src/app.ts'
import { emptyMessage, type AuditMessage } from '../../src/audit/message.ts'
import { addFigure, figureKey, type Figure } from '../../src/audit/figures.ts'
import { depsOf } from '../../src/deps.ts'
import { system } from './world.ts'

export const METRICS_TOKEN = 'a-token-of-an-operator-for-scrapes'
export const BEARER = { Authorization: `Bearer ${METRICS_TOKEN}` }

/** A deployment whose operator reads figures, as a new isolate sees it: it has read nothing yet. */
export function newIsolate(vars: object = {}) {
  const bindings = { ...env, METRICS_TOKEN, ...vars }
  const app = createApp()
  return {
    /** Its system; what it leaves to `waitUntil` goes on by itself. */
    system: depsOf(bindings)(() => {}),
    send: async (path: string, init: RequestInit = {}) => app.request(path, init, bindings, createExecutionContext()),
  }
}

/** The lines with a value that a scrape prints, by the series that they are of. */
export async function scrape({ send } = newIsolate()): Promise<Map<string, number>> {
  const response = await send('/metrics', { headers: BEARER })
  if (!response.ok) throw new Error(`/metrics answered ${response.status}`)
  const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  )
}

/** The message that an isolate sends of these figures. */
export function figuresMessage(figures: readonly Figure[], at = system.now()): AuditMessage {
  const sums: Record<string, number[]> = {}
  for (const figure of figures) addFigure(sums, figureKey(figure), figure)
  return { ...emptyMessage(), id: system.newId('aud'), figures: { at, sums } }
}

let count = 0
/** A route of a test's own, with the lines that a scrape prints of it. */
export function newRoute() {
  const route = `/test/${(count += 1)}/${crypto.randomUUID()}`
  return {
    route,
    figure: (status: string, durationMs: number): Figure => ({
      family: 'request',
      labels: ['GET', route, status],
      durationMs,
    }),
    requests: (status: string) => `recollect_requests_total{method="GET",route="${route}",status_class="${status}"}`,
    duration: (of: 'bucket' | 'count' | 'sum', le?: string) =>
      `recollect_request_duration_seconds_${of}{method="GET",route="${route}"${le === undefined ? '' : `,le="${le}"`}}`,
  }
}
