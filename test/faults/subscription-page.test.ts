import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { DAY_MS } from '#shared/platform/time/clock.ts'
import { enqueueDueCharges } from '#shared/subscriptions/enqueue-due.ts'
import { changeBehaviour } from '#test/sandbox/gateway/payment-methods.ts'
import { buildCustomer, signInAgain } from '#test/support/builders/accounts.ts'
import { buildCardSubscription } from '#test/support/builders/card-subscriptions.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { moveClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'
import { chromiumPath, openBrowser } from '#test/support/processes/browser.ts'
import { configureCards, withGateway } from '#test/support/processes/browser-payments.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { openStorePage, pageSays, signInOnPage, visibleButtons } from '#test/support/processes/store-pages.ts'
import { until } from '#test/support/races/until.ts'

const skip = chromiumPath ? false : 'no Chromium on this machine (Debian: apt-get install chromium)'
let browser: Browser | undefined

before(async () => {
  browser = skip ? undefined : await openBrowser()
})
beforeEach(() => configureCards())
after(() => browser?.close())

/** An active monthly subscription over 13.00 that charges a saved card, and its customer. */
async function subscribe() {
  const store = await buildStore()
  const customer = await buildCustomer(store)
  const { id, card } = await buildCardSubscription(gateway, store, { customer })
  const read = async () =>
    (await request(`GET /subscriptions/${id}`, { store, token: await signInAgain(store, customer) })).data
  const behave = (charges: 'succeed' | 'decline' | 'authenticate') =>
    gateway.change((context) =>
      changeBehaviour(context, card.reference, { charges, decline_code: 'insufficient_funds' }),
    )
  const open = (options: BrowserContextOptions = {}) =>
    openStorePage(browser, store, `/subscription#subscription=${id}`, options)
  const captured = () =>
    gateway
      .ledger()
      .payment_intents.filter(
        ({ metadata, status }) => metadata.store_id === store.id && status === 'succeeded',
      ).length
  return { store, customer, id, read, behave, open, captured }
}

/** A subscription whose second charge was declined. */
async function fallDue(charges: 'decline' | 'authenticate' = 'decline') {
  const built = await subscribe()
  built.behave(charges)
  await pass(32)
  return built
}

async function pass(days: number): Promise<void> {
  moveClock(days * DAY_MS)
  await enqueueDueCharges()
  await drainJobs()
}

/** Opens the page and signs in. */
async function enter({ open, customer }: Pick<Awaited<ReturnType<typeof subscribe>>, 'open' | 'customer'>) {
  const page = await open()
  await signInOnPage(page, customer.email)
  await page.locator('#subscription').waitFor()
  return page
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
async function payWith(page: Page, card: string, button: RegExp) {
  await withGateway(page.getByLabel('Test card').waitFor())
  await page.getByLabel('Test card').selectOption({ label: card })
  await page.getByRole('button', { name: button }).click()
}

const WORKS = '5555 5555 5555 4444: works'
const DECLINED = '4000 0000 0000 0002: is declined'
const DECLINED_LATER = '4000 0000 0000 0341: is saved, and declined later'
const ASKS = '4000 0027 6000 3184: needs authentication'

test('a customer signs in and sees the subscription, its card and its next charge', { skip }, async () => {
  const built = await subscribe()
  const page = await enter(built)

  assert.equal(new URL(page.url()).hash, '')
  assert.match((await page.locator('#next').textContent()) ?? '', /^Next charge on \w+ \d+, \d{4}$/)
  const rows = await page.getByRole('row').allTextContents()
  assert.deepEqual(
    rows.map((row) => row.replace(/(Product|Plan) \d+/, '$1').replace(/\d+\/\d{4}$/, 'date')),
    [
      'PlanPlan',
      'Goods1 × Product',
      'Cardvisa •••• 4242, date',
      '1 × Product€8.00',
      'Shipping€5.00',
      'Total€13.00',
    ],
  )
  assert.deepEqual(await visibleButtons(page), [
    'Give another card',
    'Skip the next delivery',
    'Pause',
    'Cancel',
  ])
})

test('the session of the page ends when the page is left', { skip }, async () => {
  const built = await subscribe()
  const page = await enter(built)
  await page.goto('about:blank')

  const token = await signInAgain(built.store, built.customer)
  const sessions = async () =>
    (await request('GET /auth/sessions', { store: built.store, token })).data.length
  // The customer's own, and that of this test. The browser sends the sign-out while it leaves.
  await until('the session is closed', async () => (await sessions()) === 2)
})

test('another card pays the open charge immediately', { skip }, async () => {
  const built = await fallDue()
  const page = await enter(built)

  await page.getByText('The card does not have enough money. We try again on').waitFor()
  await page.getByText('Open charge of').waitFor()
  await press(page, 'Give another card')
  await payWith(page, DECLINED, /Save this card/)
  await pageSays(page, /Your card was declined/)
  await payWith(page, WORKS, /Save this card/)
  await pageSays(page, /the open charge is paid/)

  assert.partialDeepStrictEqual(await built.read(), {
    status: 'active',
    card: { brand: 'mastercard' },
    failed_charge: null,
  })
  assert.equal(built.captured(), 1, 'the first charge was paid outside the gateway')
  assert.equal(await page.locator('#state').textContent(), 'active')
})

test('another card that is declined too leaves the charge open and says so', { skip }, async () => {
  const built = await fallDue()
  const page = await enter(built)

  await press(page, 'Give another card')
  await payWith(page, DECLINED_LATER, /Save this card/)
  await pageSays(page, /the charge failed again/)

  assert.partialDeepStrictEqual(await built.read(), { status: 'past_due', failed_charge: { attempts: 2 } })
})

test('the open charge of a suspended subscription is paid, and the subscription continues', {
  skip,
}, async () => {
  const built = await fallDue()
  for (const days of [33, 35, 37, 39]) await pass(days)
  assert.equal((await built.read()).status, 'suspended')
  const page = await enter(built)

  await page.getByText('We do not try again until you pay').waitFor()
  await press(page, 'Pay the open charge')
  await payWith(page, WORKS, /Pay €13\.00/)
  await pageSays(page, /your payment has arrived/)

  assert.partialDeepStrictEqual(await built.read(), { status: 'active', card: { brand: 'mastercard' } })
})

test('a charge for which the bank asks its customer is paid after authentication', { skip }, async () => {
  const built = await fallDue('authenticate')
  const page = await enter(built)

  await page.getByText('Your bank asks you to confirm the payment.').waitFor()
  await press(page, 'Pay the open charge')
  await payWith(page, ASKS, /Pay €13\.00/)
  await page.frameLocator('iframe').getByRole('button', { name: 'Agree' }).click()
  await pageSays(page, /your payment has arrived/)

  assert.equal((await built.read()).status, 'active')
})

test('a delivery is skipped after a confirmation, and not without', { skip }, async () => {
  const built = await subscribe()
  const page = await enter(built)
  const { next_charge_at: before } = await built.read()

  await press(page, 'Skip the next delivery')
  await press(page, 'No, leave it as it is')
  await page.locator('#actions').waitFor()
  assert.equal((await built.read()).next_charge_at, before)

  await press(page, 'Skip the next delivery')
  await page.getByRole('dialog').getByRole('button', { name: 'Skip the next delivery' }).click()
  await pageSays(page, /Done/)
  assert.ok((await built.read()).next_charge_at > before)
})

test('a subscription is paused and resumed', { skip }, async () => {
  const built = await subscribe()
  const page = await enter(built)

  await press(page, 'Pause')
  await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click()
  await page.getByText('paused: we charge and send nothing').waitFor()
  assert.deepEqual(await visibleButtons(page), ['Give another card', 'Resume', 'Cancel'])
  await press(page, 'Resume')
  await page.getByText('active', { exact: true }).waitFor()

  assert.equal((await built.read()).status, 'active')
})

test('a subscription is canceled for the end of its period, continued, and canceled immediately', {
  skip,
}, async () => {
  const built = await subscribe()
  const page = await enter(built)

  await press(page, 'Cancel')
  await page.getByRole('button', { name: /^Cancel it on/ }).click()
  await page.getByText('nothing more is charged, and it ends on').waitFor()
  assert.partialDeepStrictEqual(await built.read(), { status: 'active', cancels_at_period_end: true })

  await press(page, 'Continue after all')
  await page.getByText('Next charge on').waitFor()
  await press(page, 'Cancel')
  await press(page, 'Cancel it immediately')
  await page.getByText('canceled', { exact: true }).waitFor()

  assert.equal((await built.read()).status, 'canceled')
  assert.deepEqual(await visibleButtons(page), [])
})

test('an unpaid subscription ends immediately: the page offers no end of the period', { skip }, async () => {
  const built = await fallDue()
  const page = await enter(built)

  await press(page, 'Cancel')
  assert.deepEqual(await page.getByRole('dialog').getByRole('button').allTextContents(), [
    'Cancel it immediately',
    'No, leave it as it is',
  ])
  await press(page, 'Cancel it immediately')
  await page.getByText('canceled', { exact: true }).waitFor()

  assert.equal((await built.read()).status, 'canceled')
})

test('the subscription of another customer, or of another store, is not shown', { skip }, async () => {
  const { id, store, open } = await subscribe()
  const stranger = await buildCustomer(store)
  const other = await buildStore()
  const elsewhere = await buildCustomer(other)

  for (const [page, { email }] of [
    [await open(), stranger],
    [await openStorePage(browser, other, `/subscription#subscription=${id}`), elsewhere],
  ] as const) {
    await signInOnPage(page, email)
    await pageSays(page, /We find nothing/)
    assert.equal(await page.locator('#subscription').isVisible(), false)
  }
})

test('without a publishable key the page says that the shop takes the payment', { skip }, async () => {
  configureCards(null)
  const page = await enter(await fallDue())

  await page.getByText('open the shop').waitFor()

  assert.deepEqual(await visibleButtons(page), ['Cancel'])
})

test('no page is wider than its screen, however long a name is', { skip }, async () => {
  const { store, customer, id } = await subscribe()
  const name = 'Donaudampfschifffahrtsgesellschaft'.repeat(5)
  await inStore(store.id, (tx) => tx.knex('subscriptions').update({ name_i18n: { en: name } }))

  for (const width of [320, 390, 1280]) {
    const viewport = { width, height: 640 }
    const open = () => openStorePage(browser, store, `/subscription#subscription=${id}`, { viewport })
    const page = await enter({ open, customer })
    assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= width, `${width} px`)
    await page.close()
  }
})

test('markup in the name of a product and in the fragment is shown as text or not at all', {
  skip,
}, async () => {
  const markup = '<img src=x onerror="document.title=1"><script>document.title=1</script>'
  const { store, id, customer, open } = await subscribe()
  await inStore(store.id, (tx) =>
    tx.knex('subscriptions').update({ name_i18n: { en: markup }, language: 'en' }),
  )
  const page = await enter({ open, customer })
  await page.getByText(markup).first().waitFor()
  assert.equal(await page.title(), 'Your subscription')

  const other = await openStorePage(
    browser,
    store,
    `/subscription#subscription=${encodeURIComponent(markup + id)}`,
  )
  await signInOnPage(other, customer.email)
  await pageSays(other, /./)
  assert.equal(await other.locator('img, main script').count(), 0)
  assert.equal(await other.title(), 'Your subscription')
})
