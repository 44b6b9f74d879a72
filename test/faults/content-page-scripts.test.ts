import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { toHtml, toSafeHtml } from '#shared/content-pages/to-safe-html.ts'
import { chromiumPath, openBrowser, openPage } from '#test/support/processes/browser.ts'
import { XSS_VECTORS } from '#test/support/requests/xss-vectors.ts'

// A browser reads the HTML of every vector, as a document and as the content of an element of a running page.

const skip = chromiumPath ? false : 'no Chromium on this machine (Debian: apt-get install chromium)'
let browser: Browser | undefined

before(async () => {
  browser = skip ? undefined : await openBrowser()
})
after(() => browser?.close())

/** Clicks every link that may hold a script, and is the number of them. */
const CLICK_SCRIPT_LINKS = `(() => {
  const links = [...document.querySelectorAll('a')].filter((link) => !/^(http|mailto|tel)/.test(link.protocol))
  for (const link of links) link.click()
  return links.length
})()`
const WAIT_MS = 50

/** A page of a browser that loads nothing, and how often its scripts have called `hit()`. */
async function openShop(): Promise<{ page: Page; hits: () => number }> {
  const page = await openPage(browser)
  let hits = 0
  await page.route('**', (route) => route.abort())
  await page.exposeFunction('hit', () => {
    hits += 1
  })
  return { page, hits: () => hits }
}

test('a browser runs no script of a page', { skip }, async () => {
  let { page, hits } = await openShop()
  for (const [name, markdown] of Object.entries(XSS_VECTORS)) {
    const html = toSafeHtml(markdown)
    await page.setContent(`<!doctype html><main></main>${html}`)
    await page.evaluate(`document.querySelector('main').innerHTML = ${JSON.stringify(html)}`)
    const clicked = await page.evaluate(CLICK_SCRIPT_LINKS)
    await page.waitForTimeout(WAIT_MS)
    assert.equal(hits(), 0, name)
    if (!clicked) continue
    // The link may navigate only now: the next vector has a page of its own.
    await page.close()
    ;({ page, hits } = await openShop())
  }
})

/** Vectors of different kinds, which a browser of this decade runs. */
const CONTROLS = [
  'a script',
  'an event handler of an image',
  'an event handler of an svg',
  'a link with javascript: in entities',
  'a frame with its own document',
  'a comment that ends early',
]

for (const name of CONTROLS)
  test(`control: without the sanitizer a browser runs ${name}`, { skip }, async () => {
    const { page, hits } = await openShop()

    await page.setContent(`<!doctype html>${toHtml(XSS_VECTORS[name] ?? '')}`)
    await page.evaluate(CLICK_SCRIPT_LINKS).catch(() => {})
    await page.waitForTimeout(WAIT_MS)

    assert.ok(hits() > 0)
  })
