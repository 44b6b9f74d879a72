import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  process.env.CHROMIUM ?? '',
]

/** The path of this machine's Chromium; undefined when there is none. */
export const chromiumPath = PLACES.find((path) => path && existsSync(path))

/** Opens a headless Chromium that sends no requests of its own. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // Built stores have domains below this one.
      '--host-resolver-rules=MAP *.example.test 127.0.0.1',
    ],
  })

/** Waits of a page end on a busy machine, too. */
const PATIENCE_MS = 120_000

/** Opens a page as a new visitor. */
export async function openPage(browser: Browser | undefined, options?: BrowserContextOptions): Promise<Page> {
  if (!browser) throw new Error('A browser is needed')
  const page = await browser.newPage(options)
  page.setDefaultTimeout(PATIENCE_MS)
  return page
}
