import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { buildCustomer } from '#test/support/builders/accounts.ts'
import { buildOrder } from '#test/support/builders/orders.ts'
import { buildShop, checkOut, fillCart } from '#test/support/builders/place-orders.ts'
import { buildTaxClass, buildTaxRate } from '#test/support/builders/taxes.ts'
import { baseUrl } from '#test/support/processes/app.ts'
import { chromiumPath, openBrowser, openPage } from '#test/support/processes/browser.ts'

const skip = chromiumPath ? false : 'no Chromium on this machine (Debian: apt-get install chromium)'
let browser: Browser | undefined

before(async () => {
  browser = skip ? undefined : await openBrowser()
})
after(() => browser?.close())

/** The rows that a guest sees of an order of two units at 10.00, shipped for 5.00, at 19 %. */
async function shownRows(pricesIncludeTax: boolean): Promise<string[]> {
  const shop = await buildShop(10, { country: 'DE', pricesIncludeTax })
  const { id: taxClassId } = await buildTaxClass(shop.store, { isDefault: true })
  await buildTaxRate(shop.store, { percent: 19, taxClassId })
  const cart = await fillCart(shop.store, shop.variantId, 2)
  const { data } = await checkOut(shop, { cart, body: { payment_method: 'bank_transfer' } })
  const page = await openPage(browser, { viewport: { width: 390, height: 640 }, locale: 'en' })
  const url = new URL(baseUrl)
  url.hostname = shop.store.domain
  await page.goto(`${url.origin}/order#order=${data.order.id}&token=${data.order.access_token}`)
  await page.getByText('Total').waitFor()
  if (process.env.SCREENSHOT) await page.screenshot({ path: process.env.SCREENSHOT })
  const rows = await page.getByRole('row').allTextContents()
  await page.close()
  return rows.map((row) => row.replace(/(Product|Rate) \d+/, '$1'))
}

test('the page of an order at net prices adds the tax before the total', { skip }, async () => {
  assert.deepEqual(await shownRows(false), ['2 × Product€20.00', 'Shipping€5.00', 'Rate€4.75', 'Total€29.75'])
})

test('the page of an order at gross prices shows the included tax after the total', { skip }, async () => {
  const rows = ['2 × Product€20.00', 'Shipping€5.00', 'Total€25.00', 'incl. Rate€3.99']
  assert.deepEqual(await shownRows(true), rows)
})

test('the page of a customer’s order asks the customer to sign in', { skip }, async () => {
  const { store } = await buildShop(10)
  const { id: customerId } = await buildCustomer(store)
  const order = await buildOrder(store, { customerId })
  const page = await openPage(browser, { viewport: { width: 390, height: 640 }, locale: 'en' })
  const url = new URL(baseUrl)
  url.hostname = store.domain

  await page.goto(`${url.origin}/order#order=${order.id}`)

  await page.getByText('Sign in to see your order').waitFor()
  assert.equal(await page.getByRole('row').count(), 0)
  await page.close()
})
