import { expect, test } from 'vitest'
import operations from '../../../docs/operations.md?raw'
import { PASSWORD } from '../../support/password.ts'
import { db, form } from '../../support/world.ts'

/** The SQL of the operator's command for a lost password, as the document has it. */
const LENT = /<!-- lend-a-password -->[\s\S]*?--command "([^"]+)"/.exec(operations)?.[1] ?? ''

const signIn = (username: string, password: string) =>
  form('/auth/login', { username, password }, { 'CF-Connecting-IP': '2001:db8:1e47::1' })

test('an operator lends the password of a second account to somebody who owns an account alone', async () => {
  const [owner, helper] = [`owner-${crypto.randomUUID()}@example.com`, `helper-${crypto.randomUUID()}@example.com`]
  const lent = 'another horse battery'
  for (const [email, password] of [
    [owner, PASSWORD],
    [helper, lent],
  ] as const)
    expect((await form('/auth/register-user', { email, password, name: 'A' })).status).toBe(201)
  expect(LENT).toContain('update users set password_hash')
  await db.batch([db.statement(LENT.replaceAll('helper@example.com', helper).replace('owner@example.com', owner))])
  expect((await signIn(owner, lent)).status).toBe(200)
  expect((await signIn(owner, PASSWORD)).status).toBe(401)
  // Nobody else's password changed.
  expect((await signIn(helper, lent)).status).toBe(200)
})
