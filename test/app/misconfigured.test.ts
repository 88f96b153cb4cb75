import { createExecutionContext, createMessageBatch, env } from 'cloudflare:test'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createApp } from '../../src/app.ts'
import worker from '../../src/index.ts'
import { CANARY, FAULTY } from '../support/faulty-settings.ts'

const RINGS = ['TOKEN_KEYS', 'PASSWORD_PEPPERS', 'DATA_KEYS'] as const

test.each(RINGS.flatMap((name) => [[name, FAULTY[name]] as const, [name, undefined] as const]))(
  'without the key ring %s (%s) every path is 503 and names it, and no message is lost',
  async (name, value) => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => logged.mockRestore())
    const broken = Object.assign({}, env, { [name]: value })
    for (const path of ['/health', '/ready', '/v1/memory/items', '/portal/sign-in']) {
      const answer = await createApp().request(path, {}, broken, createExecutionContext())
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '60'])
      const { code, detail } = await answer.json<{ code: string; detail: string }>()
      expect([code, detail]).toEqual([
        'dependency_unavailable',
        `${name} must be id:base64[,id:base64…] with keys of at least 32 bytes.`,
      ])
    }
    const batch = createMessageBatch('recollect-local-audit', [
      { id: 'm', timestamp: new Date(), attempts: 1, body: {} },
    ])
    const [message] = batch.messages
    const retry = message && vi.spyOn(message, 'retry').mockImplementation(() => {})
    await worker.queue(batch, broken, createExecutionContext())
    expect(retry?.mock.calls).toEqual([[{ delaySeconds: 600 }]])
    expect(logged.mock.calls.join()).not.toContain(CANARY)
  },
)
