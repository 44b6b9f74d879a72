import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { PASSWORD } from '#test/support/builders/accounts.ts'
import { baseUrl } from '#test/support/processes/app.ts'
import { openPage } from '#test/support/processes/browser.ts'
import { withGateway } from '#test/support/processes/browser-payments.ts'

/** Opens a page of a store's own domain as a new reader, by default on a narrow screen. */
export async function openStorePage(
  browser: Browser | undefined,
  { domain }: { domain: string },
  path: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const page = await openPage(browser, { viewport: { width: 390, height: 640 }, locale: 'en', ...options })
  const url = new URL(baseUrl)
  url.hostname = domain
  await page.goto(`${url.origin}${path}`)
  return page
}

/** Signs in by the form of a page, without waiting for the outcome. */
export async function signInOnPage(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Awaits a message of a page while the gateway and a worker run. */
export const pageSays = (page: Page, text: RegExp): Promise<void> =>
  withGateway(page.getByRole('status').filter({ hasText: text }).waitFor())

/** The labels of the visible buttons. */
export const visibleButtons = (page: Page): Promise<string[]> =>
  page.getByRole('button').filter({ visible: true }).allTextContents()
