import { expect, test } from 'vitest'
import { CardPage, page } from '../../../src/auth/pages/document.tsx'

test('security 40, 41: a page runs no inline code and nothing of another origin, is never framed and never cached', async () => {
  const answer = await page(<CardPage title="A title">text</CardPage>)
  const policy = answer.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
  expect(policy).not.toMatch(/unsafe|\*|https?:/)
  expect(policy).toContain("frame-ancestors 'none'")
  expect(answer.headers.get('x-frame-options')).toBe('DENY')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  const html = await answer.text()
  expect(html).toMatch(/^<!doctype html><html lang="en" data-theme="system">/)
  expect(html).toContain('<title>A title · Recollect</title>')
  expect(html).not.toMatch(/<script(?![^>]* src="\/)|<style| on\w+="/)
})

test('security 39: values are text on a page, never markup', async () => {
  const answer = await page(<CardPage title="<script>1</script>">{'<img src=x onerror=1>'}</CardPage>)
  expect(await answer.text()).not.toMatch(/<script>1|<img/)
})

test('a page has the status and the headers of its caller, each cookie too', async () => {
  const headers = new Headers([
    ['Set-Cookie', 'a=1'],
    ['Set-Cookie', 'b=2'],
  ])
  const answer = await page(<CardPage title="x" theme="dark" />, { status: 403, headers })
  expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, ['a=1', 'b=2']])
  expect(await answer.text()).toContain('data-theme="dark"')
})
