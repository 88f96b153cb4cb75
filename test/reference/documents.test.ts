import { describe, expect, test } from 'vitest'
import { call } from '../support/world.ts'

describe.each(['/api-reference/openapi.json', '/api-reference/asyncapi.json', '/llms.txt'])(
  '%s (contract §7)',
  (path) => {
    test('is kept by a cache for five minutes, and then asked for by its ETag', async () => {
      const first = await call('GET', path)
      expect(first.status).toBe(200)
      expect(first.headers.get('cache-control')).toBe('public, max-age=300')
      const etag = first.headers.get('etag') ?? ''
      expect(etag).toMatch(/^"[0-9a-f]{32}"$/)
      for (const tags of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
        const again = await call('GET', path, { headers: { 'If-None-Match': tags } })
        expect([again.status, again.text]).toEqual([304, ''])
        expect(again.headers.get('etag')).toBe(etag)
        expect(again.headers.get('cache-control')).toBe('public, max-age=300')
      }
    })

    test('is answered whole for the tag of another build', async () => {
      const { status, text } = await call('GET', path, { headers: { 'If-None-Match': '"0123"' } })
      expect(status).toBe(200)
      expect(text.length).toBeGreaterThan(500)
    })
  },
)
