import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { type BuiltAccount, buildCustomer, buildStaff, PASSWORD } from '#test/support/builders/accounts.ts'
import { type BuiltStore, buildStore, nextNumber } from '#test/support/builders/store.ts'
import { baseUrl, request } from '#test/support/processes/app.ts'
import { chromiumPath, openBrowser, openPage } from '#test/support/processes/browser.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox, tokenIn } from '#test/support/processes/mailbox.ts'

const skip = chromiumPath ? false : 'no Chromium on this machine (Debian: apt-get install chromium)'
const NEW = 'a better horse battery'
let browser: Browser | undefined

before(async () => {
  browser = skip ? undefined : await openBrowser()
})
after(() => browser?.close())

/** Opens a page of the store's own domain, or of the service, as the link in a mail does. */
async function open(path: string, token: string, store?: BuiltStore): Promise<Page> {
  const page = await openPage(browser, { viewport: { width: 480, height: 640 } })
  const url = new URL(baseUrl)
  if (store) url.hostname = store.domain
  await page.goto(`${url.origin}${path}${token && `#token=${token}`}`)
  return page
}

async function mailedToken(email: string): Promise<string> {
  await drainJobs()
  const mail = mailbox.mails(email).findLast(({ text }) => text.includes('#token='))
  assert.ok(mail)
  return tokenIn(mail)
}

async function forget(account: 'customer' | 'staff', { email }: BuiltAccount, store: BuiltStore) {
  await request('POST /auth/password/forgot', { store, body: { email, account } })
  return mailedToken(email)
}

const submit = (page: Page) => page.getByRole('button').click()
const says = (page: Page, text: RegExp) => page.getByRole('status').filter({ hasText: text }).waitFor()

const login = (store: BuiltStore, email: string, password: string, account: string) =>
  request('POST /auth/login', { store, body: { email, password, account } })

test('a customer sets a new password on the page that the mail links to', { skip }, async () => {
  const store = await buildStore()
  const customer = await buildCustomer(store)
  const page = await open('/reset-password', await forget('customer', customer, store), store)

  assert.equal(new URL(page.url()).hash, '', 'the token has left the address')
  await page.getByLabel('New password').fill('short')
  await submit(page)
  assert.equal(await page.getByRole('status').textContent(), '', 'the browser asks for 8 characters')
  await page.getByLabel('New password').fill(NEW)
  await submit(page)
  await says(page, /saved/)

  assert.equal((await login(store, customer.email, NEW, 'customer')).status, 200)
})

test('staff set a new password on the page at PUBLIC_URL; a used link says what to do', {
  skip,
}, async () => {
  const store = await buildStore()
  const member = await buildStaff(store, { role: 'support' })
  const token = await forget('staff', member, store)

  for (const expected of [/saved/, /link/]) {
    const page = await open('/admin/reset-password', token)
    await page.getByLabel('New password').fill(NEW)
    await submit(page)
    await says(page, expected)
  }

  assert.equal((await login(store, member.email, NEW, 'staff')).status, 200)
})

test('a link and a sign-in confirm an e-mail address', { skip }, async () => {
  const store = await buildStore()
  const email = `new-${nextNumber()}@example.test`
  const body = { email, password: PASSWORD, firstname: 'Ada', lastname: 'Byron' }
  const { data } = await request('POST /auth/register', { store, body })

  const page = await open('/verify-email', await mailedToken(email), store)
  await page.getByLabel('Your e-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await submit(page)
  await says(page, /wrong/i)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await submit(page)
  await says(page, /confirmed/)

  const me = await request('GET /auth/me', { store, token: data.access_token })
  assert.ok(me.data.verified_at)
})

test('a link and a sign-in change an e-mail address; the session of that sign-in is closed', {
  skip,
}, async () => {
  const store = await buildStore()
  const [customer, member] = [await buildCustomer(store), await buildStaff(store, { role: 'support' })]
  const pages = [
    { ...customer, account: 'customer', path: '/change-email', of: store },
    { ...member, account: 'staff', path: '/admin/change-email', of: undefined },
  ]
  for (const { email, token, account, path, of } of pages) {
    const changed = `moved-${nextNumber()}@example.test`
    await request('POST /auth/email', {
      ...(of ? { store: of } : {}),
      token,
      body: { email: changed, current_password: PASSWORD },
    })
    const page = await open(path, await mailedToken(changed), of)
    await page.getByLabel('Your e-mail address so far').fill(email)
    await page.getByLabel('Password', { exact: true }).fill('not the password')
    await submit(page)
    await says(page, /wrong/i)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await submit(page)
    await says(page, /changed/)

    const again = await login(store, changed, PASSWORD, account)
    const sessions = await request('GET /auth/sessions', { store, token: again.data.access_token })
    assert.deepEqual(
      { status: again.status, dataCount: sessions.data.length },
      { status: 200, dataCount: 1 },
      account,
    )
  }
})

test('an invalid link leaves no session open', { skip }, async () => {
  const store = await buildStore()
  const { email, token } = await buildCustomer(store)
  const page = await open('/change-email', `cx_ln_${'A'.repeat(86)}`, store)

  await page.getByLabel('Your e-mail address so far').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await submit(page)
  await says(page, /link/)

  const sessions = await request('GET /auth/sessions', { store, token })
  assert.equal(sessions.data.length, 1)
})

test('a link without a token shows an error and no form', { skip }, async () => {
  const page = await open('/reset-password', '')

  await says(page, /not complete/)
  assert.equal(await page.getByRole('button').isVisible(), false)
})
