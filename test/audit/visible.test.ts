import { expect, test } from 'vitest'
import { timeOf } from '../../src/audit/visible.ts'
import { newId, systemRandom, type IdPrefix } from '../../src/core/values/ids.ts'
import { HOUR, MINUTE } from '../support/clock.ts'

const AT = Date.UTC(2026, 0, 2)
const LAST = Date.UTC(9999, 11, 31)
const idAt = (prefix: IdPrefix, at = AT) => newId(prefix, at, systemRandom)

test.each([
  ['no id', {}, 0, LAST],
  ['a key', { credential_id: idAt('key') }, AT - MINUTE, LAST],
  ['a session', { credential_id: idAt('ses') }, AT - MINUTE, LAST],
  ['a token', { credential_id: idAt('tok') }, AT - MINUTE, LAST],
  ['an application', { app_id: idAt('app') }, AT - MINUTE, LAST],
  ['an application with an address', { app_id: 'https://agent.example/client.json' }, 0, LAST],
  ['a request', { request_id: idAt('req') }, AT - MINUTE, AT + HOUR],
  ['ids without a time', { credential_id: 'key_x', request_id: 'req_x' }, 0, LAST],
  ['two ids', { credential_id: idAt('key', AT - HOUR), request_id: idAt('req') }, AT - MINUTE, AT + HOUR],
  ['times within that of the id', { request_id: idAt('req'), since: AT, until: AT + 1 }, AT, AT + 1],
  ['times around that of the id', { request_id: idAt('req'), since: 1, until: LAST }, AT - MINUTE, AT + HOUR],
  ['an id of a year without a date', { credential_id: 'key_7ZZZZZZZZZZZZZZZZZZZZZZZZZ' }, LAST, LAST],
])('a search for %s looks no further than its rows can lie', (_, filter, since, until) => {
  expect(timeOf(filter)).toEqual({ since, until })
})
