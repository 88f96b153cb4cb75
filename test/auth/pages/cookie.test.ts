import { expect, test } from 'vitest'
import { clearCookie, readCookie, SESSION_COOKIE, sessionCookie, setCookie } from '../../../src/auth/pages/cookie.ts'

test('security 42: the cookie of a session is out of reach of scripts, other sites and plain HTTP', () => {
  expect(setCookie(SESSION_COOKIE, 'rcs_token', 60)).toBe(
    '__Host-recollect_session=rcs_token; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax',
  )
  expect(clearCookie(SESSION_COOKIE)).toBe(
    '__Host-recollect_session=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax',
  )
})

test('a value cannot bring attributes of its own', () => {
  expect(setCookie(SESSION_COOKIE, 'x; Domain=evil.test\r\nA: b', 60)).not.toMatch(/; *Domain|\r|\n/)
})

test('the session is read among other cookies, only under its whole name', () => {
  const read = (cookie?: string) => sessionCookie(new Headers(cookie === undefined ? {} : { cookie }))
  expect(read('a=1; __Host-recollect_session=rcs_token; b=2')).toBe('rcs_token')
  expect([read(), read(''), read('recollect_session=x'), read('x__Host-recollect_session=x')]).toEqual([
    null,
    null,
    null,
    null,
  ])
  expect(readCookie(new Headers({ cookie: 'theme=dark' }), 'theme')).toBe('dark')
})
