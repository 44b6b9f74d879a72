import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import '#test/support/database.ts'
import { mailOrderEvent } from '#shared/order-mails/jobs.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { DAY_MS, MINUTE_MS } from '#shared/platform/time/clock.ts'
import { changeDispute, openDispute } from '#test/sandbox/gateway/disputes.ts'
import { eventsOf } from '#test/support/books/read-refunds.ts'
import { buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import {
  buildShop,
  checkOut,
  confirm,
  fillCart,
  placeCardOrder,
  referenceOf,
} from '#test/support/builders/place-orders.ts'
import { buildVoucher } from '#test/support/builders/vouchers.ts'
import { moveClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { drainDueOrders, drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox } from '#test/support/processes/mailbox.ts'
import { notify } from '#test/support/processes/notify.ts'

beforeEach(() => mailbox.clear())

/** The mails that have arrived, oldest first. */
const mails = () => mailbox.mails().toReversed()
const subjects = () => mails().map(({ subject }) => subject)
/** The text of the mail with a subject; `''` without one. */
const mailOf = (subject: RegExp): string => mails().find((mail) => subject.test(mail.subject))?.text ?? ''

/** A shop whose owner is signed in, and whose buyers are mailed. */
async function scene(settings: object = {}) {
  const shop = await buildShop(10)
  const { token } = await buildStaff(shop.store, { role: 'owner' })
  if (Object.keys(settings).length) {
    const { status } = await request('PATCH /admin/settings', { token, body: settings })
    assert.equal(status, 200)
  }
  const patch = async (id: string, status: string, more: object = {}) => {
    await request(`PATCH /admin/orders/${id}`, {
      token,
      headers: { Prefer: 'respond-async' },
      body: { status, ...more },
    })
    await drainJobs()
  }
  return { shop, token, patch }
}

test('a card order is mailed when it is placed, paid, shipped and refunded', async () => {
  const { shop, token, patch } = await scene()
  const order = await placeCardOrder(shop, 2)
  await notify('payment_intent.succeeded', await confirm(order.reference))
  await patch(order.id, 'shipped')
  await request(`POST /admin/orders/${order.id}/refunds`, {
    token,
    key: randomUUID(),
    headers: { Prefer: 'respond-async' },
    body: { amount: 5, reason: 'A scratch' },
  })
  await drainJobs()

  const { number } = (await request(`GET /admin/orders/${order.id}`, { token })).data
  const { name } = (await request('GET /settings/store-info', { store: shop.store })).data
  assert.deepEqual(subjects(), [
    `Your order ${number} at ${name}`,
    `Payment received for your order ${number} at ${name}`,
    `Your order ${number} at ${name} is on its way`,
    `Refund for your order ${number} at ${name}`,
  ])
  const placed = mails().at(0)
  const refunded = mails().at(3)
  assert.match(placed?.text ?? '', /2 × .+: €20\.00\n\nSubtotal: €20\.00\nShipping: €5\.00\nTotal: €25\.00/)
  assert.match(refunded?.text ?? '', /we have refunded €5\.00\./)
  assert.match(refunded?.text ?? '', /Reason: A scratch/)
})

test('a mail names the parts of a refund by the way that they take', async () => {
  const { shop, patch } = await scene()
  const { code } = await buildVoucher(shop.store, { amountMinor: 1_000n })
  const cart = await fillCart(shop.store, shop.variantId, 2)
  const { data } = await checkOut(shop, { cart, body: { voucher_code: code } })
  await drainJobs()
  const intent = await confirm(await referenceOf(shop.store, data.payment.id))
  await notify('payment_intent.succeeded', intent)

  await patch(data.order.id, 'refunded')

  assert.match(
    mailOf(/^Your order/),
    /\nTotal: €25\.00\nPaid by gift voucher: -€10\.00\nRemaining amount: €15\.00\n/,
  )
  const refunded = mailOf(/^Refund/)
  assert.match(
    refunded,
    /we have refunded €25\.00\. €15\.00 goes back the way you paid; a bank may take some days\./,
  )
  assert.match(refunded, /€10\.00 is on your gift voucher again\./)
})

test('the note of a change to refunded is in the history for staff, and neither mailed nor in the event', async () => {
  const { shop, token, patch } = await scene()
  const order = await placeCardOrder(shop, 2)
  await notify('payment_intent.succeeded', await confirm(order.reference))

  await patch(order.id, 'refunded', { note: 'Probably a fraud' })
  await patch(order.id, 'refunded', { note: 'Probably a fraud' })

  assert.match(mailOf(/^Refund/), /we have refunded €25\.00\./)
  assert.ok(mails().every(({ text }) => !text.includes('fraud')))
  const [refunded] = await eventsOf(shop.store, order.id, 'order.refunded')
  assert.partialDeepStrictEqual(refunded?.data, { refund: { reason: '' } })
  const { data } = await request(`GET /admin/orders/${order.id}/history`, { token })
  const entries: { kind: string; text: string }[] = data
  assert.deepEqual(
    entries.filter(({ text }) => text.includes('fraud')).map(({ kind }) => kind),
    ['internal_note'],
  )
})

test('a refund that staff paid by other means is mailed without the way that the buyer paid', async () => {
  const { shop, token } = await scene()
  const cart = await fillCart(shop.store, shop.variantId, 1)
  const { data } = await checkOut(shop, { cart, body: { payment_method: 'bank_transfer' } })
  const path = `/admin/orders/${data.order.id}`
  await request(`POST ${path}/mark-paid`, { token, body: {} })
  const body = { amount: 5, outside_gateway: true, reason: 'A scratch' }
  await request(`POST ${path}/refunds`, { token, key: randomUUID(), body })
  await drainJobs()

  assert.match(mailOf(/^Refund/), /we have refunded €5\.00\.\n\nReason: A scratch/)
})

test('money that a bank took back in a dispute is not mailed as a refund', async () => {
  const { shop } = await scene()
  const order = await placeCardOrder(shop, 2)
  await notify('payment_intent.succeeded', await confirm(order.reference))
  mailbox.clear()
  const dispute = gateway.change((context) => openDispute(context, { payment_intent: order.reference }))
  await notify('charge.dispute.created', dispute)

  await notify(
    'charge.dispute.closed',
    gateway.change((context) => changeDispute(context, dispute.id, 'lost')),
  )
  await drainJobs()

  const [refunded] = await eventsOf(shop.store, order.id, 'order.refunded')
  assert.partialDeepStrictEqual(refunded?.data, { refund: { origin: 'dispute' } }, 'control')
  assert.deepEqual(subjects(), [])
})

test('the mail about a failed payment links to the order, which its token opens', async () => {
  const { shop } = await scene({ links: { order: 'https://shop.example/order' } })
  const order = await placeCardOrder(shop, 2)
  mailbox.clear()

  await notify('payment_intent.payment_failed', await confirm(order.reference, 'pm_card_chargeDeclined'))

  const [mail] = mailbox.mails()
  assert.match(mail?.subject ?? '', /^Payment failed/)
  const [, id, token] =
    /https:\/\/shop\.example\/order#order=([\w-]+)&token=([\w-]+)/.exec(mail?.text ?? '') ?? []
  assert.equal(id, order.id)
  const opened = await request(`GET /orders/${id}?access_token=${token}`, { store: shop.store })
  const paid = await request(`POST /orders/${id}/pay?access_token=${token}`, {
    store: shop.store,
    key: randomUUID(),
    headers: { Prefer: 'respond-async' },
    body: {},
  })
  const first = await request(`GET /orders/${id}?access_token=${order.accessToken}`, { store: shop.store })
  assert.deepEqual(
    { opened: opened.status, paid: paid.status, first: first.status },
    { opened: 200, paid: 200, first: 200 },
  )
})

test('the mail about a bank transfer has the bank details in the order’s language', async () => {
  const { shop, token } = await scene({ languages: ['en', 'de'] })
  await request('PATCH /admin/payment-methods/bank_transfer', {
    token,
    body: { instructions_i18n: { en: 'Pay to DE02 1203', de: 'Überweisen Sie an DE02 1203' } },
  })
  const cart = await fillCart(shop.store, shop.variantId, 1)
  await request('POST /checkout', {
    store: shop.store,
    cart,
    key: randomUUID(),
    headers: { 'Accept-Language': 'de' },
    body: {
      email: 'grete@example.test',
      firstname: 'Grete',
      lastname: 'Hermann',
      telephone: '+49 431 1',
      shipping_address: {
        firstname: 'Grete',
        lastname: 'Hermann',
        address_1: 'Kai 1',
        city: 'Kiel',
        postcode: '24103',
        country: 'DE',
      },
      shipping_method_id: shop.shipping.id,
      payment_method: 'bank_transfer',
    },
  })

  await drainJobs()

  const [mail] = mailbox.mails()
  assert.match(mail?.subject ?? '', /^Ihre Bestellung/)
  assert.match(mail?.text ?? '', /Lieferadresse: Grete Hermann\nKai 1\n24103 Kiel\nDeutschland\n/)
  assert.match(mail?.text ?? '', /So bezahlen Sie:\n\nÜberweisen Sie an DE02 1203/)
})

test('a kind that is switched off is not mailed, and the others are', async () => {
  const { shop, patch } = await scene({ order_mails: { placed: false } })
  const cart = await fillCart(shop.store, shop.variantId, 1)
  const { data } = await checkOut(shop, { cart, body: { payment_method: 'bank_transfer' } })
  await drainJobs()
  assert.deepEqual(subjects(), [])

  await patch(data.order.id, 'canceled')

  assert.equal(subjects().length, 1)
  assert.match(subjects()[0] ?? '', /is canceled$/)
})

test('an event is mailed once, however often its job runs', async () => {
  const { shop } = await scene()
  await placeCardOrder(shop, 1)
  const [event] = await inStore(shop.store.id, (tx) =>
    tx.knex('events').where('type', 'order.created').select('id'),
  )

  await Promise.all(
    Array.from({ length: 5 }, () =>
      inStore(shop.store.id, (tx) => enqueue(tx, mailOrderEvent, { eventId: event.id })),
    ),
  )
  await drainJobs()

  assert.equal(subjects().length, 1)
})

test('an order keeps its first token and a limited number of tokens of mails', async () => {
  const { shop } = await scene({ links: { order: 'https://shop.example/order' } })
  const order = await placeCardOrder(shop, 1)
  for (let attempt = 0; attempt < 14; attempt++) {
    await notify('payment_intent.payment_failed', await confirm(order.reference, 'pm_card_chargeDeclined'))
    const { data } = await request(`POST /orders/${order.id}/pay?access_token=${order.accessToken}`, {
      store: shop.store,
      key: randomUUID(),
      headers: { Prefer: 'respond-async' },
      body: {},
    })
    moveClock(attempt * MINUTE_MS)
    await drainJobs()
    const [row] = await inStore(shop.store.id, (tx) =>
      tx.knex('payments').where('id', data.payment.id).select('gateway_reference'),
    )
    order.reference = row.gateway_reference
  }

  const [row] = await inStore(shop.store.id, (tx) =>
    tx.knex('orders').where('id', order.id).select('access_token_hashes'),
  )
  assert.equal(row.access_token_hashes.length, 12)
  const { status } = await request(`GET /orders/${order.id}?access_token=${order.accessToken}`, {
    store: shop.store,
  })
  assert.equal(status, 200)
})

test('an order whose time ran out is mailed as a failed payment', async () => {
  const { shop } = await scene()
  await placeCardOrder(shop, 1)
  mailbox.clear()

  moveClock(DAY_MS + MINUTE_MS)
  await drainDueOrders()

  assert.match(subjects().join(), /^Payment failed for your order/)
})

test('a buyer is mailed at most 20 times an hour about one order, and about another one still', async () => {
  const { shop, token } = await scene()
  const order = await placeCardOrder(shop, 2)
  await notify('payment_intent.succeeded', await confirm(order.reference))
  mailbox.clear()
  const refund = async () => {
    await request(`POST /admin/orders/${order.id}/refunds`, {
      token,
      key: randomUUID(),
      headers: { Prefer: 'respond-async' },
      body: { amount: 0.5, reason: 'A scratch' },
    })
    await drainJobs()
  }

  for (let n = 0; n < 21; n++) await refund()
  const sent = mails().length
  await placeCardOrder(shop, 2)

  assert.equal(sent, 18)
  assert.equal(mails().length, 19)
})

test('a mailbox gets at most 20 mails an hour about unpaid card orders, and all about paid ones', async () => {
  const { shop } = await scene()
  const email = 'stranger@example.test'
  const place = async () => {
    const order = await placeCardOrder(shop, 1, { email })
    await request(`POST /orders/${order.id}/cancel?access_token=${order.accessToken}`, { store: shop.store })
    await drainJobs()
  }

  for (let n = 0; n < 12; n++) await place()
  const sent = mails().length
  const paid = await placeCardOrder(shop, 1, { email })
  await notify('payment_intent.succeeded', await confirm(paid.reference))
  await drainJobs()

  assert.equal(sent, 20)
  assert.equal(mails().length, 21)
  assert.match(subjects().at(-1) ?? '', /^Payment received/)
})

test('a customer causes at most 20 mails an hour about unpaid card orders, over all mailboxes', async () => {
  const { shop } = await scene()
  const { token } = await buildCustomer(shop.store)
  const place = async (n: number) => {
    const body = { variant_id: shop.variantId, quantity: 1 }
    await request('POST /cart/items', { store: shop.store, token, body })
    const { data } = await checkOut(shop, { token, body: { email: `stranger-${n}@example.test` } })
    await request(`POST /orders/${data.order.id}/cancel`, { store: shop.store, token })
    await drainJobs()
  }

  for (let n = 0; n < 12; n++) await place(n)

  assert.equal(mails().length, 20)
})
