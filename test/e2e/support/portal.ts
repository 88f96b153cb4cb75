import type { Page } from 'playwright-core'

export const PASSWORD = 'correct horse battery'

/** Signs up on the page, which then shows the overview. */
export async function signUp(page: Page, email: string): Promise<void> {
  await page.goto('/portal/sign-up')
  await page.getByLabel('Your name', { exact: true }).fill('Ada Lovelace')
  await page.getByLabel('E-mail address', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL('**/portal')
}

export const codeOf = (page: Page, label: string): Promise<string> =>
  page.getByRole('group', { name: label }).innerText()
