import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hasBrowser, launchBrowser, openPage } from './support/browser.ts'
import { signUp } from './support/portal.ts'
import { startReceiver } from './support/receiver.ts'
import { startServer, type Server } from './support/server.ts'

let server: Server
let browser: Browser

beforeAll(async () => {
  if (!hasBrowser) return
  server = await startServer({ vars: { LIMITS_FACTOR: '100' } })
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

/** Presses Tab until what has this name has the focus. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  const isThere = (): Promise<boolean> =>
    page.evaluate<boolean>(
      `${String(name)}.test(document.activeElement.getAttribute('aria-label') ?? document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent)`,
    )
  for (let steps = 0; steps < 80 && !(await isThere()); steps += 1) await page.keyboard.press('Tab')
  expect(await isThere()).toBe(true)
}

test.runIf(hasBrowser)('the keyboard reaches everything: skip link, menu, choices', async () => {
  const { page, faults } = await openPage(browser, server.url, { viewport: { width: 390, height: 800 } })
  await signUp(page, 'keys@example.com')
  await page.keyboard.press('Tab')
  await page.locator(':focus', { hasText: 'Skip to content' }).waitFor()
  await page.keyboard.press('Enter')
  await page.locator('main:focus').waitFor()

  await page.getByRole('button', { name: 'Menu' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'API Keys' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'API Keys' }).waitFor({ state: 'hidden' })

  await page.goto('/portal/keys/new')
  await page.getByRole('radio', { name: 'Development' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('radio', { name: 'Production', checked: true }).waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})

test.runIf(hasBrowser)('a question opens, is left and is answered by keyboard', async () => {
  const { page, faults } = await openPage(browser, server.url)
  await signUp(page, 'asked@example.com')
  await page.goto('/portal/keys/new')
  await page.getByLabel('Name', { exact: true }).fill('Bot')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/portal/keys/key_*')
  const question = page.getByRole('dialog', { name: 'Revoke Bot?' })
  await page.getByRole('button', { name: 'Revoke this key' }).focus()
  await page.keyboard.press('Enter')
  await question.waitFor()
  // The safe answer has the focus.
  await page.locator(':focus', { hasText: /^Cancel$/ }).waitFor()
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'hidden' })
  await page.locator(':focus', { hasText: /^Revoke this key$/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await question.waitFor({ state: 'hidden' })
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByText('The key was revoked').waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})

test.runIf(hasBrowser)(
  'an agent is connected and a webhook is tested by keyboard, and each page says what came of it by itself',
  async () => {
    const { page, faults } = await openPage(browser, server.url)
    await signUp(page, 'agents@example.com')
    await page.goto('/portal/agents')
    await tabTo(page, /Codex$/)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/portal/agents?agent=codex#agent')
    await tabTo(page, /^Create a key and fill it in$/)
    await page.keyboard.press('Enter')
    const filled = page.getByRole('group', { name: 'With an API key: Codex' })
    await filled.waitFor()
    const [key = ''] = /rck_live_[\w-]+/.exec(await filled.innerText()) ?? []
    await page.getByText('Waiting for Codex to connect').waitFor()
    expect((await fetch(`${server.url}/v1/memory/items`, { headers: { 'X-API-Key': key } })).status).toBe(200)
    await page.locator('.agent-state', { hasText: 'Connected: Codex' }).waitFor()

    const receiver = await startReceiver()
    await page.goto('/portal/webhooks/new')
    await tabTo(page, /^Address of your server$/)
    await page.keyboard.type(receiver.url)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/portal/webhooks/sub_*')
    await page.getByRole('definition').getByText('Never delivered').waitFor()
    await tabTo(page, /^Send test event$/)
    await page.keyboard.press('Enter')
    await page.getByText('A test event is on its way.').waitFor()
    await page.getByRole('cell').getByText('Delivered', { exact: true }).waitFor()
    await page.getByRole('definition').getByText('Active', { exact: true }).waitFor()
    await page.getByRole('definition').getByText('1 of 1 delivered').waitFor()
    receiver.stop()

    // Where the session has ended, nothing more is asked.
    await page.goto('/portal/agents')
    await page.context().clearCookies()
    await page.locator('.agent-state', { hasText: 'No longer waiting.' }).waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  },
)

test.runIf(hasBrowser)(
  'a memory is stored, edited and retired by keyboard: each form has the focus where one types',
  async () => {
    const { page, faults } = await openPage(browser, server.url)
    await signUp(page, 'typing@example.com')
    await page.goto('/portal/memory')
    await page.getByRole('button', { name: 'Store a memory', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.type('Ada drinks tea')
    await page.getByRole('button', { name: 'Store', exact: true }).press('Enter')
    await page.locator('#memories li').first().getByRole('link').press('Enter')
    await page.waitForURL('**/portal/memory/mem_*')
    await page.getByRole('button', { name: 'Edit', exact: true }).press('Enter')
    await page.keyboard.press('End')
    await page.keyboard.type(' at noon')
    await page.getByRole('button', { name: 'Save' }).press('Enter')
    await page.getByText('Saved.').waitFor()
    expect(await page.locator('.hero').innerText()).toContain('Ada drinks tea at noon')
    await page.getByRole('button', { name: 'Retire', exact: true }).press('Enter')
    await page.keyboard.type('she moved')
    await page.keyboard.press('Enter')
    await page.getByText('The memory is retired.').waitFor()
    expect(await page.locator('main').innerText()).toContain('she moved')
    expect(faults).toEqual([])
    await page.context().close()
  },
)

test.runIf(hasBrowser)('the palette goes to pages, to things by name and id, and to a search', async () => {
  const { page, faults } = await openPage(browser, server.url)
  await signUp(page, 'palette@example.com')
  const palette = page.getByRole('dialog', { name: 'Go to' })
  const input = palette.getByRole('combobox')
  const chosen = palette.locator('[aria-selected="true"]')
  const open = async () => {
    await page.keyboard.press('Control+k')
    await palette.waitFor()
  }
  await open()
  await input.fill('webhooks')
  // What a screen reader is told is what Enter opens.
  await chosen.filter({ hasText: 'Webhooks' }).waitFor()
  expect(await input.getAttribute('aria-activedescendant')).toBe(await chosen.getAttribute('id'))
  await page.keyboard.press('Enter')
  await page.waitForURL('**/portal/webhooks')

  await open()
  await input.fill('default project')
  await palette.getByRole('option', { name: 'Default Project', exact: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/portal/projects/prj_*')
  const id = page.url().split('/').at(-1) ?? ''

  await page.goto('/portal')
  await open()
  await input.fill('portal')
  await page.keyboard.press('Escape')
  await palette.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Go to…' }).click()
  await input.fill(id)
  await palette.getByRole('option').first().filter({ hasText: 'Open' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await chosen.filter({ hasText: 'Audit log' }).waitFor()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/portal/projects/${id}`)

  await open()
  await input.fill('who likes tea & coffee?')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/portal/memory?q=*')
  expect(await page.getByLabel('Question or keywords', { exact: true }).inputValue()).toBe('who likes tea & coffee?')
  expect(faults).toEqual([])
  await page.context().close()
})

test.runIf(hasBrowser)(
  'an id is copied at a click; the language of snippets and a preset of scopes are chosen',
  async () => {
    const { page, faults } = await openPage(browser, server.url)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await signUp(page, 'copies@example.com')
    const copy = page.getByRole('button', { name: /^Copy prj_/ })
    const id = (await copy.getAttribute('data-copy')) ?? ''
    await copy.click()
    await expect.poll(() => page.evaluate<string>('navigator.clipboard.readText()')).toBe(id)

    await page.getByRole('radio', { name: 'TypeScript' }).check()
    await page.getByRole('button', { name: 'Copy: Store a memory: TypeScript' }).click()
    await expect.poll(() => page.evaluate<string>('navigator.clipboard.readText()')).toContain(`project_id: '${id}'`)
    await page.goto(`/portal/projects/${id}`)
    await page.getByRole('group', { name: 'Search in this project: TypeScript' }).waitFor()
    await page.getByRole('group', { name: 'Search in this project: curl' }).waitFor({ state: 'hidden' })

    await page.goto('/portal/keys/new')
    await page.getByLabel('Name', { exact: true }).fill('Watcher')
    await page.getByRole('link', { name: /^Learn morely/ }).click()
    await page.locator('input[name="scope"][value="write:memory"]:not(:checked)').waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Watcher')
    const checked = await page
      .locator('input[name="scope"]:checked')
      .evaluateAll((all) => all.map((one) => one.getAttribute('value')))
    expect(checked).toEqual(['read:memory', 'read:projects', 'read:profile', 'read:events', 'read:audit'])
    expect(faults).toEqual([])
    await page.context().close()
  },
)

test.runIf(hasBrowser)('a memory is stored, found and opened by keyboard alone', async () => {
  const { page, faults } = await openPage(browser, server.url, { timezoneId: 'Asia/Tokyo' })
  await signUp(page, 'typist@example.com')
  await page.goto('/portal/memory')
  await tabTo(page, /^Store a memory$/)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Store a memory' }).waitFor()
  await page.locator('textarea:focus').waitFor()
  await page.keyboard.type('The kettle is in the shed.')
  await tabTo(page, /^Store$/)
  await page.keyboard.press('Enter')
  await page.getByText('Stored. It can be found').waitFor()
  await tabTo(page, /^Question or keywords$/)
  await page.keyboard.type('kettles')
  await page.keyboard.press('Enter')
  await page.locator('#results').waitFor()
  // The days of the filters are those of the browser.
  await page.getByLabel('From', { exact: true }).waitFor()
  expect(new URL(page.url()).searchParams.get('zone')).toBe('Asia/Tokyo')
  await tabTo(page, /^The kettle is in the shed\.$/)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/portal/memory/mem_*')
  await tabTo(page, /^Edit$/)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Edit' }).waitFor()
  await page.keyboard.press('Escape')
  await page.locator(':focus', { hasText: /^Edit$/ }).waitFor()

  // Nothing that has the focus is behind a dialog: one that the Tab key leaves is closed.
  const retire = page.getByRole('dialog', { name: 'Retire this memory' })
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await retire.waitFor()
  for (let steps = 0; steps < 3; steps += 1) await page.keyboard.press('Tab')
  await page.locator(':focus', { hasText: /^Edit$/ }).waitFor()
  await retire.waitFor({ state: 'hidden' })

  await tabTo(page, /^Delete this memory$/)
  await page.keyboard.press('Enter')
  await page.locator(':focus', { hasText: /^Cancel$/ }).waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByText('The memory was deleted.').waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})
