import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import '#test/support/database.ts'
import { listPayments } from '#shared/payments/payment.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { now } from '#shared/platform/time/clock.ts'
import { mailSubscriptionEvent } from '#shared/subscription-mails/jobs.ts'
import { replaceCard } from '#shared/subscriptions/card/replace-card.ts'
import { enqueueDueCharges } from '#shared/subscriptions/enqueue-due.ts'
import { changeBehaviour } from '#test/sandbox/gateway/payment-methods.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildStaff, signInAgain } from '#test/support/builders/accounts.ts'
import { confirm, referenceOf } from '#test/support/builders/place-orders.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildSubscription } from '#test/support/builders/subscriptions.ts'
import { freezeClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox } from '#test/support/processes/mailbox.ts'
import { notify } from '#test/support/processes/notify.ts'

beforeEach(() => mailbox.clear())

const START = new Date('2027-01-31T10:00:00.000Z')
const PAGES = { order: 'https://shop.example/order', subscription: 'https://shop.example/abo' }

/** The name of the store of the current test. The scan also charges the subscriptions of the tests before. */
let shop = ''
let shops = 0

/** The mails of the current test's store that have arrived, oldest first. */
const mails = () =>
  mailbox
    .mails()
    .toReversed()
    .filter(({ subject }) => subject.includes(shop))
const subjects = () => mails().map(({ subject }) => subject.replace(shop, 'Harbor'))

/** A subscription named "Monthly", whose first order is paid and mailed. */
async function subscribed(given: Parameters<typeof buildSubscription>[1] & { settings?: object } = {}) {
  freezeClock(START)
  const { settings, plan, ...rest } = given
  shop = `Harbor (${++shops})`
  const store = await buildStore({ name: shop, timeZone: 'UTC' })
  const { token } = await buildStaff(store, { role: 'owner' })
  const changed = await request('PATCH /admin/settings', { token, body: { links: PAGES, ...settings } })
  assert.equal(changed.status, 200)
  const built = await buildSubscription(store, { plan: { nameI18n: { en: 'Monthly' }, ...plan }, ...rest })
  await drainJobs()
  const own = async (line: string) =>
    request(line, { store, token: await signInAgain(store, built.customer), key: randomUUID() })
  return { ...built, store, path: `/subscriptions/${built.id}`, own, token }
}

/** A subscription that is charged to a card, and what the bank makes of it. */
async function subscribedByCard(settings: object = {}) {
  const built = await subscribed({ paymentMethod: 'card', settings })
  const [first] = await inStore(built.store.id, (tx) => listPayments(tx, built.orderId))
  await notify('payment_intent.succeeded', await confirm(await referenceOf(built.store, first?.id ?? '')))
  const [saved] = await inStore(built.store.id, (tx) =>
    tx.knex('saved_cards').where('store_id', built.store.id).select('reference'),
  )
  const reference = String(saved?.reference)
  mailbox.clear()
  const decline = (decline_code: string) =>
    gateway.change((context) => changeBehaviour(context, reference, { charges: 'decline', decline_code }))
  return { ...built, decline, reference }
}

/** Moves the clock to a time and does what is due then, as the worker does every minute. */
async function at(time: string): Promise<void> {
  freezeClock(new Date(time))
  await enqueueDueCharges()
  await drainJobs()
}

test('a renewal is confirmed by one mail, which names the charge and the subscription', async () => {
  await subscribed()
  const placed = mails().find(({ subject }) => subject.startsWith('Your order'))
  assert.match(placed?.text ?? '', /This is charge 1 of your subscription “Monthly”\./)
  mailbox.clear()

  await at('2027-02-28T10:00Z')

  assert.equal(subjects().length, 1)
  assert.match(subjects()[0] ?? '', /^Payment received for your order/)
  assert.match(mails()[0]?.text ?? '', /This is charge 2 of your subscription “Monthly”\./)
})

test('a renewal of a store that does not mail payments is confirmed when it is placed', async () => {
  await subscribed({ settings: { order_mails: { paid: false } } })
  mailbox.clear()

  await at('2027-02-28T10:00Z')

  assert.equal(subjects().length, 1)
  assert.match(subjects()[0] ?? '', /^Your order [\w-]+ at Harbor$/)
})

test('a declined renewal is mailed once, with its reason, the next attempt and the order to pay', async () => {
  const { id, decline, own } = await subscribedByCard()
  await decline('insufficient_funds')

  await at('2027-02-28T10:00Z')

  assert.deepEqual(subjects(), ['A charge of your subscription “Monthly” at Harbor failed'])
  const [mail] = mails()
  const { data: orders } = await own(`GET /orders?subscription_id=${id}&status=failed`)
  assert.match(mail?.text ?? '', /Charge: 2\nReason: The card does not have enough money\./)
  assert.match(mail?.text ?? '', /We try again on March 1, 2027\./)
  assert.match(mail?.text ?? '', new RegExp(`Pay now:\\nhttps://shop.example/order#order=${orders[0].id}\n`))
  assert.match(mail?.text ?? '', new RegExp(`https://shop.example/abo#subscription=${id}\n`))
  assert.match(mail?.text ?? '', /Card: visa ending in 4242/)
  assert.match(mail?.text ?? '', /Total: €13\.00/)
  assert.match(mail?.html ?? '', /<h|<table/)
})

test('a declined renewal of a store without pages of its own links to the built-in ones', async () => {
  const { own, decline, store, id } = await subscribedByCard({ links: {} })
  decline('insufficient_funds')

  await at('2027-02-28T10:00Z')

  const { data: orders } = await own('GET /orders?status=failed')
  const [mail] = mails()
  for (const link of [`/order#order=${orders[0].id}`, `/subscription#subscription=${id}`])
    assert.match(mail?.text ?? '', new RegExp(`//${store.domain}(:\\d+)?${link}\n`))
})

test('each failed attempt sends a mail; the last one sends only the mail of the suspension', async () => {
  const { decline } = await subscribedByCard()
  await decline('authentication_required')

  for (const time of ['02-28', '03-01', '03-03', '03-05', '03-07']) await at(`2027-${time}T10:00Z`)

  const failed = 'A charge of your subscription “Monthly” at Harbor failed'
  assert.deepEqual(subjects(), [
    ...Array<string>(4).fill(failed),
    'Your subscription “Monthly” at Harbor is suspended',
  ])
  assert.match(mails()[0]?.text ?? '', /Reason: Your bank asks you to confirm the payment\./)
  assert.match(mails()[4]?.text ?? '', /It continues when you pay the open order or give another card\./)
})

test('when stock is short, the mail links to no order to pay', async () => {
  await subscribed({ stockOnHand: 1 })
  mailbox.clear()

  await at('2027-02-28T10:00Z')

  const [mail] = mails()
  assert.equal(subjects().length, 1)
  assert.match(mail?.text ?? '', /Reason: The goods are out of stock\./)
  assert.match(mail?.text ?? '', /We try again on March 1, 2027\. No order is placed until then\./)
  assert.doesNotMatch(mail?.text ?? '', /Pay now/)
})

test('a pause, its end and a cancellation are mailed in the language of the subscription', async () => {
  const { own, path, store, id } = await subscribed()
  await inStore(store.id, (tx) =>
    tx.knex('subscriptions').where({ store_id: store.id, id }).update({ language: 'de' }),
  )
  mailbox.clear()

  for (const step of ['pause', 'resume', 'cancel?at=period_end', 'cancel?at=period_end', 'cancel']) {
    assert.equal((await own(`POST ${path}/${step}`)).status, 200, step)
    await drainJobs()
  }

  assert.deepEqual(subjects(), [
    'Ihr Abonnement „Monthly“ bei Harbor pausiert',
    'Ihr Abonnement „Monthly“ bei Harbor läuft weiter',
    'Ihr Abonnement „Monthly“ bei Harbor ist zum 28. Februar 2027 gekündigt',
    'Ihr Abonnement „Monthly“ bei Harbor ist gekündigt',
  ])
  assert.match(mails()[1]?.text ?? '', /Die nächste Abbuchung ist am 28\. Februar 2027/)
})

test('the end of a subscription is mailed with its last charge', async () => {
  await subscribed({ plan: { cycle: 2 } })
  mailbox.clear()

  await at('2027-02-28T10:00Z')

  assert.equal(subjects().length, 2)
  assert.ok(subjects().includes('Your subscription “Monthly” at Harbor is complete'))
})

test('replacing the card sends a mail; adding the first card sends none', async () => {
  const { store, id, reference } = await subscribedByCard()
  const card = { brand: 'mastercard', last4: '4444', expMonth: 12, expYear: 2030 }

  for (const given of [reference, 'pm_other', 'pm_other'])
    await inStore(store.id, (tx) =>
      replaceCard(tx, { subscriptionId: id, card: { reference: given, ...card }, givenAt: now() }),
    )
  await drainJobs()

  assert.deepEqual(subjects(), ['Your subscription “Monthly” at Harbor has another card'])
  assert.match(mails()[0]?.text ?? '', /Card: mastercard ending in 4444/)
})

test('a kind of mail that is switched off is not sent; the others are', async () => {
  const { own, path } = await subscribed({ settings: { subscription_mails: { paused: false } } })
  mailbox.clear()

  for (const step of ['pause', 'resume']) await own(`POST ${path}/${step}`)
  await drainJobs()

  assert.deepEqual(subjects(), ['Your subscription “Monthly” at Harbor is resumed'])
})

test('an event is mailed once, however often its job runs', async () => {
  const { own, path, store } = await subscribed()
  mailbox.clear()
  await own(`POST ${path}/pause`)
  const [event] = await inStore(store.id, (tx) =>
    tx.knex('events').where({ store_id: store.id, type: 'subscription.paused' }).select('id'),
  )

  await Promise.all(
    Array.from({ length: 5 }, () =>
      inStore(store.id, (tx) => enqueue(tx, mailSubscriptionEvent, { eventId: event.id })),
    ),
  )
  await drainJobs()

  assert.equal(subjects().length, 1)
})

testBooks()
