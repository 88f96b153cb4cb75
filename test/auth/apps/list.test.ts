import { expect, test } from 'vitest'
import { newApp, newPerson, newTokens } from '../../support/oauth.ts'
import { addKey, call } from '../../support/world.ts'

test('lists come in pages, newest first', async () => {
  const person = await newPerson()
  const ids: string[] = []
  for (let n = 0; n < 3; n += 1) ids.unshift((await newApp(person)).client_id)
  const first = await call('GET', '/v1/apps?limit=2', { headers: person.session })
  const second = await call('GET', `/v1/apps?limit=2&cursor=${first.body.next_cursor}`, { headers: person.session })
  expect([...first.body.data, ...second.body.data].map((app) => app.id)).toEqual(ids)
  expect([first.body.has_more, second.body.has_more]).toEqual([true, false])
})

test('only a session manages applications', async () => {
  const person = await newPerson()
  const { access_token } = await newTokens(person, await newApp(person))
  const key = await addKey(person)
  for (const headers of [{ Authorization: `Bearer ${access_token}` }, { 'X-API-Key': key.secret }]) {
    const { status, body } = await call('GET', '/v1/apps', { headers })
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'session_required' })
  }
})

test("another user's application answers as one that does not exist", async () => {
  const [owner, other] = [await newPerson(), await newPerson()]
  const { client_id } = await newApp(owner)
  for (const [method, suffix, body] of [
    ['GET', '', undefined],
    ['PATCH', '', { name: 'x' }],
    ['DELETE', '', undefined],
    ['POST', '/rotate-secret', undefined],
  ] as const) {
    const answers = []
    for (const id of [client_id, 'app_00000000000000000000000000']) {
      const answer = await call(method, `/v1/apps/${id}${suffix}`, { headers: other.session, body })
      answers.push({ ...answer.body, request_id: '' })
    }
    expect(answers[0]).toMatchObject({ status: 404, code: 'not_found' })
    expect(answers[0]).toEqual(answers[1])
  }
  expect((await call('GET', '/v1/apps', { headers: other.session })).body.data).toEqual([])
})
