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
    'This service does not send mail. Ask someone who can create a reset link for you: ' +
      'an owner of your workspace, under Workspaces, next to your name; ' +
      'the owner of your account, under Settings, Everyone here. ' +
      'The link lasts a day and works once. If you are the only owner, ask the operator of this service.',
  )
})
