import { request } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { startLoopback } from '../../../src/cli/login/loopback.ts'

const AUTHORIZE = 'https://recollect.example/auth/authorize?state=s'

async function start() {
  let n = 0
  const loopback = await startLoopback(() => `random-text-${(n += 1)}`)
  onTestFinished(() => loopback.close())
  return loopback
}

const get = (url: string, headers: Record<string, string> = {}) => fetch(url, { redirect: 'manual', headers })

test('the browser is led on to the service, with a cookie, and back', async () => {
  const loopback = await start()
  const startUrl = loopback.startUrl(() => AUTHORIZE)
  expect(startUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/login\/random-text-1$/)
  const first = await get(startUrl)
  expect(first.status).toBe(302)
  expect(first.headers.get('location')).toBe(AUTHORIZE)
  const cookie = first.headers.get('set-cookie') ?? ''
  expect(cookie).toMatch(/HttpOnly; SameSite=Lax$/)
  const back = await get(`${loopback.redirectUri}?code=c&state=s`, { cookie: cookie.split(';')[0] ?? '' })
  expect(back.status).toBe(200)
  expect(back.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect((await loopback.answer).search).toBe('?code=c&state=s')
})

test('security 73: the address that the process list shows works once, and an answer without its cookie counts for nothing', async () => {
  const loopback = await start()
  const startUrl = loopback.startUrl(() => AUTHORIZE)
  const first = await get(startUrl)
  expect((await get(startUrl)).status).toBe(410)
  expect((await get(`${loopback.redirectUri}?code=of-another&state=s`)).status).toBe(403)
  expect(
    (await get(`${loopback.redirectUri}?code=of-another&state=s`, { cookie: 'recollect_login_random-t=x' })).status,
  ).toBe(403)
  const cookie = (first.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  await get(`${loopback.redirectUri}?code=mine&state=s`, { cookie })
  expect((await loopback.answer).searchParams.get('code')).toBe('mine')
})

test('security 73: a name that leads here, another method and another path are refused', async () => {
  const loopback = await start()
  const { port } = new URL(loopback.redirectUri)
  const statusOf = (options: object) =>
    new Promise<number | undefined>((resolve, reject) => {
      request({ host: '127.0.0.1', port, path: '/callback?code=c', ...options }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
        .on('error', reject)
        .end()
    })
  expect(await statusOf({ headers: { host: `rebound.example:${port}` } })).toBe(404)
  expect(await statusOf({ method: 'POST' })).toBe(404)
  expect(await statusOf({ path: '/' })).toBe(404)
  expect(await statusOf({})).toBe(200)
})
