import { expect, test } from 'vitest'
import { Browser } from '../support/portal.ts'

test('whoever forgot the password reads who can make a link, how long it lasts, and what to do alone', async () => {
  const { status, text } = await new Browser().open('/portal/sign-in')
  expect(status).toBe(200)
  const [, help = ''] = /<summary>Forgot your password\?<\/summary>([\s\S]*?)<\/details>/.exec(text) ?? []
  expect(
    help
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  ).toBe(
    'This service sends no mail. Ask somebody who can make you a link, by which you set a new one: ' +
      'an owner of your workspace, under Workspaces, beside your name; ' +
      'the owner of your account, under Settings, Everybody here. ' +
      'The link lasts a day and works once. If you own the account alone, ask whoever runs this service.',
  )
})
