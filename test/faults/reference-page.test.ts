import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { buildStore } from '#test/support/builders/store.ts'
import { baseUrl } from '#test/support/processes/app.ts'
import { chromiumPath, openBrowser, openPage } from '#test/support/processes/browser.ts'

const skip = chromiumPath ? false : 'no Chromium on this machine (Debian: apt-get install chromium)'
let browser: Browser | undefined

before(async () => {
  browser = skip ? undefined : await openBrowser()
})
after(() => browser?.close())

/** Opens the reference page and notes every request it makes, and everything that goes wrong in it. */
async function openReference(): Promise<{ page: Page; hosts: Set<string>; faults: string[] }> {
  const page = await openPage(browser, { viewport: { width: 1280, height: 900 } })
  const hosts = new Set<string>()
  const faults: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) hosts.add(new URL(request.url()).host)
  })
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  await page.goto(`${baseUrl}/docs`)
  await page.getByText('Commerce Service', { exact: false }).first().waitFor()
  return { page, hosts, faults }
}

test('the reference page lists the operations and calls no other host', { skip }, async (t) => {
  const { page, hosts, faults } = await openReference()

  await page.locator('.opblock-tag', { hasText: 'Storefront: settings' }).click()
  await page.locator('.opblock', { hasText: '/api/v1/settings/store-info' }).waitFor()

  assert.deepEqual([...hosts], [new URL(baseUrl).host])
  assert.deepEqual(faults, [])
  if (process.env.SCREENSHOT) await page.screenshot({ path: process.env.SCREENSHOT })
  t.diagnostic('seen in headless Chromium')
})

test('the reference page sends a request and shows its response', { skip }, async () => {
  const store = await buildStore()
  const { page } = await openReference()

  await page.getByRole('button', { name: 'Authorize' }).first().click()
  await page.locator('input[aria-label="auth-apikey-value"], .auth-container input').first().fill(store.key)
  await page.locator('.modal-ux .auth-btn-wrapper button.authorize').first().click()
  await page.locator('.modal-ux .btn-done').first().click()
  await page.locator('.opblock-tag', { hasText: 'Storefront: settings' }).click()
  const operation = page.locator('.opblock', { hasText: '/api/v1/settings/store-info' })
  await operation.locator('.opblock-summary').click()
  await operation.getByRole('button', { name: 'Execute' }).click()

  const answer = operation.locator('.live-responses-table .response')
  await answer.waitFor()
  assert.match((await answer.first().textContent()) ?? '', new RegExp(`200[\\s\\S]*"slug": "${store.slug}"`))
})
