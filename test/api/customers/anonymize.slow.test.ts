import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { anonymizeCustomer } from '#shared/customer-records/anonymize-customer.ts'
import { OWN_BUSINESS } from '#shared/customer-records/find-open-business.ts'
import { bookRefundedAmount } from '#shared/orders/amounts/book-refunded-amount.ts'
import { emitOrderEvents, orderUpdated } from '#shared/orders/events.ts'
import { changeOrderStatus } from '#shared/orders/lifecycle/change-order-status.ts'
import { lockOrder } from '#shared/orders/order.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { openDispute } from '#test/sandbox/gateway/disputes.ts'
import { verify } from '#test/support/builders/audit.ts'
import { buildCapturedOrder } from '#test/support/builders/captured-order.ts'
import { buildCardSubscription } from '#test/support/builders/card-subscriptions.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { ADDRESS } from '#test/support/builders/orders.ts'
import { buildShippedOrder } from '#test/support/builders/returns.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import '#test/support/processes/mailbox.ts'
import {
  buildMarkedCustomer,
  leaveTraces,
  TRACES,
  tablesWith,
  wordsOf,
} from '#test/support/builders/marked-customer.ts'
import { sendEvent } from '#test/support/processes/notify.ts'
import { pending, untilSomeWait } from '#test/support/races/overlap.ts'

test('nothing of an anonymized person is found in the whole database', async () => {
  const found = await buildMarkedCustomer()
  const { marks, as, customer } = found
  await leaveTraces(found)
  const before = await tablesWith(wordsOf(marks))

  const { status, data } = await as(`POST /admin/customers/${customer.id}/anonymize`)

  const missing = TRACES.filter((table) => !before.includes(table))
  assert.deepEqual(missing, [], 'control: the person was found there before')
  assert.equal(status, 200)
  assert.partialDeepStrictEqual(data, {
    email: `${customer.id}@anonymized.invalid`,
    firstname: '',
    lastname: '',
    telephone: '',
    note: '',
    is_active: false,
  })
  assert.deepEqual(await tablesWith(wordsOf(marks)), [])
  await drainJobs()
  assert.deepEqual(await tablesWith(wordsOf(marks)), [])
})

test('orders keep amounts, taxes, countries and postcodes', async () => {
  const found = await buildMarkedCustomer()
  const { as, customer } = found
  const { paid } = await leaveTraces(found)
  const before = (await as(`GET /admin/orders/${paid.id}`)).data

  await as(`POST /admin/customers/${customer.id}/anonymize`)

  const { data } = await as(`GET /admin/orders/${paid.id}`)
  for (const name of ['number', 'total', 'taxes', 'items', 'customer_id', 'amount_captured', 'created_at'])
    assert.deepEqual(data[name], before[name], name)
  assert.deepEqual(data.billing_address, {
    firstname: '',
    lastname: '',
    address_1: '',
    city: '',
    postcode: ADDRESS.postcode,
    country: ADDRESS.country,
  })
})

test('a notification of the gateway that arrives later leaves nothing of the person once it is handled', async () => {
  const { store, marks, as, customer } = await buildMarkedCustomer()
  const order = await buildCapturedOrder(store, { customerId: customer.id, gateway })
  await as(`PATCH /admin/orders/${order.id}`, { body: { status: 'complete' } })
  await as(`POST /admin/customers/${customer.id}/anonymize`)
  const payment_intent = order.reference ?? ''
  const dispute = gateway.change((context) => openDispute(context, { payment_intent }))
  const evidence = { customer_email_address: marks.email, customer_name: marks.lastname }

  await sendEvent('charge.dispute.created', { ...dispute, evidence, metadata: { store_id: store.id } })
  const unhandled = await tablesWith(wordsOf(marks))
  await drainJobs()

  assert.deepEqual(unhandled, ['payment_notifications'], 'control')
  assert.deepEqual(await tablesWith(wordsOf(marks)), [])
})

test('the events of a subscription lose its card', async () => {
  const { store, as, customer } = await buildMarkedCustomer()
  const subscription = await buildCardSubscription(gateway, store, { customer })
  await as(`POST /admin/subscriptions/${subscription.id}/cancel`)
  await as(`PATCH /admin/orders/${subscription.orderId}`, { body: { status: 'complete' } })
  const eventsWithCard = async () => {
    const { data } = await as('GET /admin/events?limit=100')
    return data.filter((event: { data: { card?: object } }) => event.data.card).length
  }
  await drainJobs()
  const before = await eventsWithCard()

  const { status } = await as(`POST /admin/customers/${customer.id}/anonymize`)

  assert.equal(status, 200)
  assert.ok(before > 0, 'control')
  assert.equal(await eventsWithCard(), 0)
})

test('entries of the audit log about the person are erased for ever; the chain verifies', async () => {
  const found = await buildMarkedCustomer()
  const { store, marks, as, customer } = found
  const { paid } = await leaveTraces(found)
  const entries = async (id: string) => (await as(`GET /admin/audit-log?resource_id=${id}`)).data
  const [change] = await entries(customer.id)
  assert.partialDeepStrictEqual(change, { after: { note: marks.note }, is_erased: false })

  await as(`POST /admin/customers/${customer.id}/anonymize`)

  const log = [...(await entries(customer.id)), ...(await entries(paid.id))]
  const [own] = log
  assert.partialDeepStrictEqual(own, { action: 'postAdminCustomersIdAnonymize', before: null, after: null })
  for (const { action, before, after, is_erased } of log.slice(1))
    assert.deepEqual({ before, after, is_erased }, { before: null, after: null, is_erased: true }, action)
  assert.equal((await verify(store)).broken, null)
  const later = await as(`POST /admin/orders/${paid.id}/notes`, {
    body: { body: 'Archived', is_customer_visible: false, notify: false },
  })
  assert.equal(later.status, 201)
  assert.equal((await entries(paid.id))[0].is_erased, false)
  assert.equal((await verify(store)).broken, null)
})

test('a repeat with the Idempotency-Key of a change gets its answer without personal data', async () => {
  const { marks, as, customer } = await buildMarkedCustomer()
  const asked = { key: randomUUID(), body: { note: marks.note } }
  await as(`PATCH /admin/customers/${customer.id}`, asked)

  await as(`POST /admin/customers/${customer.id}/anonymize`)
  await drainJobs()
  const { status, data, headers } = await as(`PATCH /admin/customers/${customer.id}`, asked)

  assert.equal(headers.get('idempotent-replayed'), 'true')
  assert.partialDeepStrictEqual({ status, ...data }, { status: 200, id: customer.id, note: '', lastname: '' })
})

test('the export has all stored data of the customer; customer and staff get the same but internal notes', async () => {
  const found = await buildMarkedCustomer()
  const { marks, as, own, customer } = found
  const { guest, paid, shipped, subscribed, ...made } = await leaveTraces(found)
  const { returnId, voucherId, questionIds, variantId } = made
  await own('POST /cart/items', { body: { variant_id: variantId, quantity: 3 } })

  const { data } = await as(`GET /admin/customers/${customer.id}/export`)
  const mine = await own('GET /auth/me/export')

  const ids = (items: { id: string }[]) => items.map(({ id }) => id).sort()
  assert.partialDeepStrictEqual(data.customer, { email: marks.email, note: marks.note })
  assert.deepEqual(ids(data.orders), [guest.id, paid.id, shipped.id, subscribed.orderId].sort())
  assert.deepEqual(ids(data.subscriptions), [subscribed.id])
  assert.deepEqual(ids(data.returns), [returnId])
  assert.deepEqual(ids(data.vouchers), [voucherId])
  assert.deepEqual(ids(data.questions), questionIds.toSorted())
  assert.partialDeepStrictEqual(data.cart, { items: [{ variant_id: variantId, quantity: 3 }] })
  for (const [name, count] of Object.entries({
    addresses: 1,
    sessions: 2,
    identity_links: 1,
    wishlist: 1,
    refunds: 1,
  }))
    assert.equal(data[name].length, count, name)
  const text = JSON.stringify(data)
  for (const mark of [marks.street, marks.ip, marks.userAgent, marks.subject, marks.telephone])
    assert.ok(text.includes(mark), mark)
  const { note: _, ...withoutNote } = data.customer
  const visible = data.order_notes.filter(
    (note: { is_customer_visible: boolean }) => note.is_customer_visible,
  )
  assert.deepEqual(
    { ...mine.data, exported_at: '' },
    { ...data, exported_at: '', customer: withoutNote, order_notes: visible },
  )
})

test('changes of orders at the same time leave nothing of the person behind', async () => {
  const found = await buildMarkedCustomer()
  const { store, marks, as, customer } = found
  const { paid, shipped, voucherId, questionIds } = await leaveTraces(found)

  const answers = await Promise.all([
    as(`POST /admin/customers/${customer.id}/anonymize`),
    as(`PATCH /admin/vouchers/${voucherId}`, { body: { is_active: false } }),
    as(`PATCH /admin/questions/${questionIds[0]}`, { body: { answer_body: 'It is ash.' } }),
    ...[paid, shipped].map(({ id }) =>
      as(`POST /admin/orders/${id}/notes`, {
        body: { body: 'Archived', is_customer_visible: true, notify: true },
      }),
    ),
    ...[paid, shipped].map(({ id }) =>
      inStore(store.id, async (tx) => {
        const order = await lockOrder(tx, id)
        await bookRefundedAmount(tx, order, 100n)
        await emitOrderEvents(tx, id, [orderUpdated])
        return { status: 200 }
      }),
    ),
  ])

  assert.ok(
    answers.every(({ status }) => status < 300),
    JSON.stringify(answers.map(({ status }) => status)),
  )
  await drainJobs()
  assert.deepEqual(await tablesWith(wordsOf(marks)), [])
  const { data: log } = await as('GET /admin/audit-log?page_size=100')
  for (const word of wordsOf(marks)) assert.ok(!JSON.stringify(log).includes(word), word)
  assert.equal((await verify(store)).broken, null)
})

test("a customer's changes that wait for the anonymization return 401 and leave nothing of the person", async () => {
  const { store, marks, own, customer } = await buildMarkedCustomer()
  const product = await buildProduct(store)
  const order = await buildShippedOrder(store, { customerId: customer.id })
  await inStore(store.id, (tx) => changeOrderStatus(tx, order.id, 'complete', 'system'))
  const { firstname, lastname, email, note, street: address_1 } = marks
  const gift = { amount: 20, to_name: firstname, to_email: email, from_name: firstname, from_email: email }
  const items = [{ order_item_id: order.lines[0]?.id, quantity: 1, reason: 'unwanted' }]
  const within = (work: (tx: StoreTx) => Promise<void>) => inStore(store.id, work)
  const erasure = await pending(within, (tx) => anonymizeCustomer(tx, customer.id, OWN_BUSINESS))

  const changes = [
    own('PATCH /auth/me', { body: { firstname, lastname } }),
    own('POST /addresses', { body: { ...ADDRESS, firstname, lastname, address_1 } }),
    own(`POST /products/${product.slug}/questions`, { body: { author_name: firstname, body: 'Is it oak?' } }),
    own('POST /cart/items', { body: { voucher: gift } }),
    own('POST /returns', { body: { order_id: order.id, comment: note, items } }),
    own('POST /affiliates/apply', { body: { code: `by-${lastname}`, company: lastname } }),
  ]
  await untilSomeWait(changes.length)
  erasure.commit()
  await erasure.done
  const answers = await Promise.all(changes)

  for (const { status, error_code } of answers)
    assert.deepEqual({ status, error_code }, { status: 401, error_code: 'auth.session_revoked' })
  await drainJobs()
  assert.deepEqual(await tablesWith(wordsOf(marks)), [])
})
