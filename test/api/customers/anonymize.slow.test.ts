import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { anonymizeCustomer } from '#shared/customer-records/anonymize-customer.ts'
import { emailHash } from '#shared/customers/email-hash.ts'
import { recordSecurityEvent } from '#shared/identity/security-event.ts'
import { openSession } from '#shared/identity/sessions/open-session.ts'
import { bookRefundedAmount } from '#shared/orders/amounts/book-refunded-amount.ts'
import { emitOrderEvents, orderUpdated } from '#shared/orders/events.ts'
import { lockOrder } from '#shared/orders/order.ts'
import { changeOrderStatus } from '#shared/orders/status/change-order-status.ts'
import { failPayment } from '#shared/payments/close/fail-payment.ts'
import { recordOpenedPayment } from '#shared/payments/open/record-opened-payment.ts'
import { recordClosed } from '#shared/payments/status-at-gateway.ts'
import { listSurpluses } from '#shared/payments/surplus.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { markSurplusReturned } from '#shared/refunds/request/mark-surplus-returned.ts'
import { requestRefund } from '#shared/refunds/request/request-refund.ts'
import { applyCapture } from '#shared/settlement/apply-capture.ts'
import { resolveMismatch } from '#shared/settlement/resolve-mismatch.ts'
import { openDispute } from '#test/sandbox/gateway/disputes.ts'
import { settleRefund } from '#test/sandbox/gateway/refunds.ts'
import { type Asked, request } from '#test/support/app.ts'
import { buildStore, nextNumber } from '#test/support/build.ts'
import { buildCustomer, buildStaff, PASSWORD } from '#test/support/build-accounts.ts'
import { verify } from '#test/support/build-audit.ts'
import { buildCapturedOrder } from '#test/support/build-captured-order.ts'
import { buildCardSubscription } from '#test/support/build-card-subscriptions.ts'
import { buildProduct } from '#test/support/build-catalog.ts'
import { buildCoupon } from '#test/support/build-coupons.ts'
import { ADDRESS, buildOrder, buildPaidOrder } from '#test/support/build-orders.ts'
import { buildReturn, buildShippedOrder } from '#test/support/build-returns.ts'
import { buildSubscription } from '#test/support/build-subscriptions.ts'
import { buildVoucher, readVoucher } from '#test/support/build-vouchers.ts'
import { buildReceiver, buildWebhook } from '#test/support/build-webhooks.ts'
import { superuser } from '#test/support/database.ts'
import { gateway } from '#test/support/gateway.ts'
import { buildProvider } from '#test/support/identity-provider.ts'
import { drainJobs } from '#test/support/jobs.ts'
import '#test/support/mailbox.ts'
import { notify, sendEvent } from '#test/support/notify.ts'
import { pending, untilSomeWait } from '#test/support/overlap.ts'
import { requestedBy } from '#test/support/requested-by.ts'

const receiver = await buildReceiver()

/** Texts that nothing but the data of one person contains. */
function buildMarks() {
  const mark = `zq${nextNumber()}x`
  return {
    email: `${mark}-now@person.example`,
    former: `${mark}-former@person.example`,
    wanted: `${mark}-wanted@person.example`,
    firstname: `${mark}-First`,
    lastname: `${mark}-Last`,
    telephone: `+49 777 ${987_000 + nextNumber()} 123`,
    street: `${mark}-Street`,
    note: `${mark}-Note`,
    subject: `${mark}-Subject`,
    userAgent: `${mark}-Browser`,
    ip: `203.0.113.${100 + (nextNumber() % 100)}`,
  }
}
type Marks = ReturnType<typeof buildMarks>

async function scene() {
  const store = await buildStore()
  const marks = buildMarks()
  const { email, firstname, lastname, telephone, former } = marks
  const { token } = await buildStaff(store, { role: 'administrator' })
  const as = (line: string, asked: Asked = {}) =>
    request(line, { token, ...(line.startsWith('GET') ? {} : { key: randomUUID() }), ...asked })
  const body = { email: former, password: PASSWORD, firstname, lastname, telephone }
  const { customer } = (await request('POST /auth/register', { store, body })).data
  // The change of the address is the way in which the former one enters events and mails.
  await as(`PATCH /admin/customers/${customer.id}`, { body: { email } })
  const device = { ip: marks.ip, userAgent: marks.userAgent }
  const account = { type: 'customer', id: customer.id } as const
  const session = await inStore(store.id, async (tx) => {
    await tx.knex('customers').where('id', customer.id).update({ verified_at: now() })
    await recordSecurityEvent(tx, 'password_changed', account, device)
    return openSession(tx, account, device)
  })
  const own = (line: string, asked: Asked = {}) =>
    request(line, { store, token: session.accessToken, ...asked })
  return { store, marks, as, own, customer }
}
type Scene = Awaited<ReturnType<typeof scene>>

/** Leaves the person's data in every place that can hold it. */
async function leaveTraces({ store, marks, as, own, customer }: Scene) {
  const { firstname, lastname, telephone, email, note } = marks
  const address = { ...ADDRESS, firstname, lastname, address_1: marks.street, telephone }
  await own('POST /addresses', { body: address })
  await own('POST /auth/email', { body: { email: marks.wanted, current_password: PASSWORD } })
  const product = await buildProduct(store)
  const variantId = product.variants[0]?.id ?? ''
  await own('POST /wishlist', { body: { product_id: product.id } })
  await own('POST /cart/items', { key: randomUUID(), body: { variant_id: variantId, quantity: 1 } })
  await buildWebhook(store, { url: receiver.hookUrl('traces'), events: ['*'] })
  await as(`PATCH /admin/customers/${customer.id}`, {
    body: { note, tax_number: note, metadata: { crm: note } },
  })
  const orders = await buildOrders({ store, marks, as, customer })
  const asked = await own(`POST /products/${product.slug}/questions`, {
    body: { author_name: firstname, body: 'Is it oak?' },
  })
  const asGuest = await request(`POST /products/${product.slug}/questions`, {
    store,
    body: { author_name: firstname, author_email: email, body: 'Is it ash?' },
  })
  await as(`PATCH /admin/questions/${asked.data.id}`, { body: { status: 'approved', answer_body: 'It is.' } })
  const metadata = { crm: note }
  const gift = { amount: 20, to_name: firstname, to_email: email, message: note, metadata }
  const voucher = await as('POST /admin/vouchers', { body: gift })
  await linkProvider(store, customer.id, marks.subject)
  const subscribed = await subscribe({ store, marks, as, customer })
  await drainJobs()
  await inStore(store.id, ({ knex }) =>
    knex('webhook_attempts')
      .whereIn('delivery_id', knex('webhook_deliveries').where('event_type', 'order.created').select('id'))
      .update({ response_excerpt: `Thanks, ${email}` }),
  )
  await request('POST /auth/password/forgot', { store, body: { email } })
  return {
    ...{ ...orders, subscribed, variantId },
    voucherId: voucher.data.id as string,
    questionIds: [asked.data.id, asGuest.data.id] as string[],
  }
}

/** A subscription that was sent to the person's address, and canceled. */
async function subscribe({ store, marks, as, customer }: Omit<Scene, 'own'>) {
  const { firstname, lastname, telephone, street: address_1 } = marks
  const address = { ...ADDRESS, firstname, lastname, address_1 }
  const built = await buildSubscription(store, { customer })
  const body = { firstname, lastname, telephone, shipping_address: address, billing_address: address }
  await as(`PATCH /admin/subscriptions/${built.id}`, { body })
  await as(`POST /admin/subscriptions/${built.id}/cancel`)
  await as(`PATCH /admin/orders/${built.orderId}`, { body: { status: 'complete' } })
  return built
}

async function buildOrders({ store, marks, as, customer }: Omit<Scene, 'own'>) {
  const { email, note } = marks
  const coupon = await buildCoupon(store)
  const guest = await buildOrder(store, { email, paymentMethod: 'cash_on_delivery', couponCode: coupon.code })
  const paid = await buildPaidOrder(store, { customerId: customer.id })
  await inStore(store.id, async (tx) => {
    const { firstname, lastname, telephone, street: address_1 } = marks
    const address = JSON.stringify({ ...ADDRESS, firstname, lastname, address_1 })
    const buyer = {
      firstname,
      lastname,
      telephone,
      note,
      shipping_address: address,
      billing_address: address,
    }
    await tx.knex('orders').whereIn('id', [guest.id, paid.id]).update(buyer)
  })
  const async = { headers: { Prefer: 'respond-async' } }
  await as(`POST /admin/orders/${paid.id}/refunds`, { body: { amount: 1, reason: note }, ...async })
  await inStore(store.id, (tx) => tx.knex('refunds').update({ status: 'failed', settled_at: now() }))
  const parcel = { carrier: 'Parcel', tracking_number: note }
  const shipment = await as(`POST /admin/orders/${paid.id}/shipments`, { body: parcel })
  const corrected = { tracking_number: `${note}-corrected` }
  await as(`PATCH /admin/orders/${paid.id}/shipments/${shipment.data.id}`, { body: corrected })
  for (const { id } of [guest, paid]) {
    await as(`POST /admin/orders/${id}/notes`, {
      body: { body: note, is_customer_visible: true, notify: true },
    })
    await as(`PATCH /admin/orders/${id}`, { body: { status: 'complete', note, metadata: { crm: note } } })
  }
  const shipped = await buildShippedOrder(store, { customerId: customer.id })
  const goodsBack = await buildReturn(store, shipped)
  await inStore(store.id, async (tx) => {
    await tx.knex('returns').update({ comment: note })
    await tx.knex('return_items').update({ note })
  })
  await as(`PATCH /admin/returns/${goodsBack.id}`, { body: { metadata: { crm: note } } })
  await as(`POST /admin/returns/${goodsBack.id}/reject`, { body: { message: note } })
  await as(`PATCH /admin/orders/${shipped.id}`, { body: { status: 'complete' } })
  return { guest, paid, shipped, returnId: goodsBack.id }
}

async function linkProvider(store: { id: string }, customerId: string, subject: string): Promise<void> {
  await buildProvider(store as never, { code: `p${nextNumber()}` })
  await inStore(store.id, async (tx) => {
    const { id: provider_id } = await tx.knex('identity_providers').first('id')
    const account = { account_type: 'customer', account_id: customerId }
    const row = { store_id: store.id, id: newId(), provider_id, subject, ...account, created_at: now() }
    await tx.knex('identity_links').insert(row)
  })
}

/** The tables of the whole database in which one of the texts is found, case aside. */
async function tablesWith(texts: string[]): Promise<string[]> {
  const { rows } = await superuser.query<{ name: string }>(`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_schema in ('public', 'pgboss') and table_type = 'BASE TABLE' order by 1`)
  const found: string[] = []
  for (const { name } of rows) {
    const { rows: lines } = await superuser.query(
      `select 1 from ${name} t where exists (
         select from unnest($1::text[]) word where position(lower(word) in lower(t::text)) > 0) limit 1`,
      [texts],
    )
    if (lines.length) found.push(name.replace('public.', ''))
  }
  return found
}

const wordsOf = (marks: Marks): string[] => [
  ...Object.values(marks),
  marks.telephone.replace(/\D/g, ''),
  ...[marks.email, marks.former].map((email) => emailHash(email).toString('hex')),
]

const TRACES = [
  ...['account_links', 'coupon_uses', 'customer_addresses', 'customer_words', 'customers', 'events'],
  ...['identity_links', 'order_history', 'order_notes', 'orders', 'pgboss.job_common'],
  ...[
    'product_questions',
    'refunds',
    'return_items',
    'returns',
    'security_events',
    'sessions',
    'shipments',
    'vouchers',
  ],
  'webhook_attempts',
]

test('nothing of an anonymized person is found in the whole database', async () => {
  const found = await scene()
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
  const found = await scene()
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
  const { store, marks, as, customer } = await scene()
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
  const { store, as, customer } = await scene()
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
  const found = await scene()
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
  const { marks, as, customer } = await scene()
  const asked = { key: randomUUID(), body: { note: marks.note } }
  await as(`PATCH /admin/customers/${customer.id}`, asked)

  await as(`POST /admin/customers/${customer.id}/anonymize`)
  await drainJobs()
  const { status, data, headers } = await as(`PATCH /admin/customers/${customer.id}`, asked)

  assert.equal(headers.get('idempotent-replayed'), 'true')
  assert.partialDeepStrictEqual({ status, ...data }, { status: 200, id: customer.id, note: '', lastname: '' })
})

test('a customer whose failed order can still be paid is not anonymized until the gateway has closed the payment', async () => {
  const { store, as, customer } = await scene()
  const { paymentId } = await buildOrder(store, { customerId: customer.id })
  await inStore(store.id, async (tx) => {
    const opened = { reference: `pi_built_${nextNumber()}`, clientSecret: 'secret_built' }
    await recordOpenedPayment(tx, paymentId ?? '', opened)
    await failPayment(tx, paymentId ?? '', { status: 'failed', reason: 'card_declined' })
  })
  const anonymize = () => as(`POST /admin/customers/${customer.id}/anonymize`)

  const declined = await anonymize()
  await inStore(store.id, (tx) => recordClosed(tx, paymentId ?? ''))

  assert.equal(declined.error_code, 'customer.has_open_business')
  assert.match(declined.error ?? '', /\(failed\)/)
  assert.equal((await anonymize()).status, 200)
})

test('a customer whose failed order has money to return is not anonymized until the money is returned', async () => {
  const { store, as, customer } = await scene()
  const { id: orderId, number, paymentId } = await buildOrder(store, { customerId: customer.id })
  const captured = { reference: `pi_built_${nextNumber()}`, amountMinor: 1n, currency: 'EUR' }
  await inStore(store.id, async (tx) => {
    await failPayment(tx, paymentId ?? '', { status: 'canceled', reason: 'abandoned' })
    await applyCapture(tx, paymentId ?? '', captured)
  })
  const anonymize = () => as(`POST /admin/customers/${customer.id}/anonymize`)

  const undecided = await anonymize()
  await inStore(store.id, (tx) =>
    resolveMismatch(tx, { orderId, paymentId: paymentId ?? '', decision: 'return' }, 'staff:1'),
  )
  // The gateway does not know the payment, and so refuses to return it.
  await drainJobs()
  const owed = await anonymize()
  const [surplus] = await inStore(store.id, async (tx) => listSurpluses(tx, orderId))
  await inStore(store.id, (tx) =>
    markSurplusReturned(
      tx,
      { orderId, surplusId: surplus?.id ?? '', reason: 'In cash' },
      requestedBy('staff:1'),
    ),
  )

  for (const refused of [undecided, owed]) {
    assert.equal(refused.error_code, 'customer.has_open_business')
    assert.ok(refused.error?.includes(`order ${number} (money to return)`))
  }
  assert.equal((await anonymize()).status, 200)
})

test('a customer with a refund in progress is not anonymized until the refund has ended', async () => {
  const { store, as, customer } = await scene()
  const order = await buildCapturedOrder(store, {
    customerId: customer.id,
    gateway,
    card: 'pm_card_pendingRefund',
  })
  await as(`PATCH /admin/orders/${order.id}`, { body: { status: 'complete' } })
  await inStore(store.id, (tx) => requestRefund(tx, order.id, { amountMinor: 500n }, requestedBy('staff:1')))
  await drainJobs()
  const anonymize = () => as(`POST /admin/customers/${customer.id}/anonymize`)

  const pending = await anonymize()
  const made = gateway.ledger().refunds.find(({ payment_intent }) => payment_intent === order.reference)
  await notify(
    'refund.updated',
    gateway.change((context) => settleRefund(context, made?.id ?? '', 'succeeded')),
  )

  assert.equal(pending.error_code, 'customer.has_open_business')
  assert.equal((await anonymize()).status, 200)
})

test('a customer with open business is not anonymized; one who is stays so', async () => {
  const { store, as, customer } = await scene()
  const order = await buildOrder(store, { customerId: customer.id })
  const subscription = await buildSubscription(store, { customer })
  await as(`PATCH /admin/orders/${subscription.orderId}`, { body: { status: 'complete' } })
  const anonymize = () => as(`POST /admin/customers/${customer.id}/anonymize`)

  const open = await anonymize()
  await as(`PATCH /admin/orders/${order.id}`, { body: { status: 'canceled' } })
  const subscribed = await anonymize()
  await as(`POST /admin/subscriptions/${subscription.id}/cancel`)
  const done = await anonymize()
  const again = await anonymize()
  const changed = await as(`PATCH /admin/customers/${customer.id}`, { body: { firstname: 'Ada' } })

  assert.partialDeepStrictEqual(open, { status: 409, error_code: 'customer.has_open_business' })
  assert.ok(open.error?.includes(order.number))
  assert.equal(subscribed.status, 409)
  assert.ok(subscribed.error?.includes(subscription.id))
  assert.equal(done.status, 200)
  for (const refused of [again, changed])
    assert.partialDeepStrictEqual(refused, { status: 409, error_code: 'customer.anonymized' })
})

test("an account with another person's unverified address cannot erase that person's guest orders", async () => {
  const store = await buildStore()
  const victim = await buildOrder(store, { email: 'victim@example.test', paymentMethod: 'cash_on_delivery' })
  const attacker = await buildCustomer(store, { email: 'victim@example.test' })
  const body = { current_password: PASSWORD }

  const { status } = await request('POST /auth/me/delete', { store, token: attacker.token, body })

  const order = await inStore(store.id, (tx) => tx.knex('orders').where('id', victim.id).first('email'))
  assert.deepEqual({ status, email: order.email }, { status: 200, email: 'victim@example.test' })
})

for (const [email, isSame] of [
  ['victim@fa\u00df.example', false],
  ['VICTIM@fass.example', true],
] as const)
  test(`a customer who verified ${email} ${isSame ? 'has' : 'neither reads nor erases'} the orders of victim@fass.example`, async () => {
    const store = await buildStore()
    const guest = await buildPaidOrder(store, { email: 'victim@fass.example' })
    await superuser.query("update orders set status = 'complete' where id = $1", [guest.id])
    const { token } = await buildCustomer(store, { email, verifiedAt: now() })

    const { data } = await request('GET /auth/me/export', { store, token })
    const body = { current_password: PASSWORD }
    const { status } = await request('POST /auth/me/delete', { store, token, body })

    const order = await inStore(store.id, (tx) => tx.knex('orders').where('id', guest.id).first('email'))
    assert.equal(status, 200)
    assert.deepEqual(
      data.orders.map(({ id }: { id: string }) => id),
      isSame ? [guest.id] : [],
    )
    assert.equal(order.email === 'victim@fass.example', !isSame)
  })

test("a customer who verified another customer's former address neither reads nor erases that customer's questions", async () => {
  const store = await buildStore()
  const former = `former-${nextNumber()}@example.test`
  const author = await buildCustomer(store, { email: former, verifiedAt: now() })
  const { slug } = await buildProduct(store)
  const question = { author_name: 'Ada', body: 'Is it oak?' }
  await request(`POST /products/${slug}/questions`, { store, token: author.token, body: question })
  const { token: member } = await buildStaff(store, { role: 'administrator' })
  const body = { email: `moved-${nextNumber()}@example.test` }
  assert.equal((await request(`PATCH /admin/customers/${author.id}`, { token: member, body })).status, 200)
  const { token } = await buildCustomer(store, { email: former, verifiedAt: now() })
  const asGuest = { author_name: 'Grace', author_email: former, body: 'Is it ash?' }
  await request(`POST /products/${slug}/questions`, { store, body: asGuest })

  const { data } = await request('GET /auth/me/export', { store, token })
  const erased = await request('POST /auth/me/delete', {
    ...{ store, token, body: { current_password: PASSWORD } },
  })

  const kept = await request('GET /admin/questions?sort=created_at', { token: member })
  assert.equal(erased.status, 200)
  assert.deepEqual(
    data.questions.map((one: { body: string }) => one.body),
    ['Is it ash?'],
  )
  assert.deepEqual(
    kept.data.map((one: { author_name: string; customer_id: string | null }) => [
      one.author_name,
      one.customer_id,
    ]),
    [
      ['Ada', author.id],
      ['Anonymous', null],
    ],
  )
})

test("deleting an account keeps gifts that another customer bought with the same giver's address", async () => {
  const store = await buildStore()
  const email = `former-${nextNumber()}@example.test`
  const other = await buildCustomer(store)
  const { id: orderId } = await buildOrder(store, { customerId: other.id })
  const gift = { orderId, fromName: 'Ada', fromEmail: email, message: 'Enjoy' }
  const given = await buildVoucher(store, gift)
  const got = await buildVoucher(store, { ...gift, toEmail: email })
  const { token } = await buildCustomer(store, { email, verifiedAt: now() })

  const body = { current_password: PASSWORD }
  const { status } = await request('POST /auth/me/delete', { store, token, body })

  assert.equal(status, 200)
  const [kept, erased] = [await readVoucher(store, given.id), await readVoucher(store, got.id)]
  assert.partialDeepStrictEqual(kept, { fromName: 'Ada', fromEmail: email, message: 'Enjoy' })
  assert.partialDeepStrictEqual(erased, { fromName: '', toName: '', message: '' })
})

test("deleting an account with a stranger's address keeps that person's mails and stored responses", async () => {
  const store = await buildStore()
  const victim = await buildCustomer(store, { email: 'victim@example.test', verifiedAt: now() })
  const attacker = await buildCustomer(store, { verifiedAt: now() })
  const named = await buildOrder(store, {
    ...{ customerId: attacker.id, email: victim.email, paymentMethod: 'cash_on_delivery' },
  })
  await superuser.query("update orders set status = 'canceled' where id = $1", [named.id])
  await request('POST /auth/email', {
    ...{ store, token: attacker.token, body: { email: 'wanted@example.test', current_password: PASSWORD } },
  })
  await request('POST /auth/password/forgot', { store, body: { email: victim.email } })
  await request('POST /auth/password/forgot', { store, body: { email: attacker.email } })
  const { token } = await buildStaff(store, { role: 'administrator' })
  const gift = { amount: 20, to_name: 'Vic', to_email: `not.${victim.email}`, message: '' }
  const asked = { token, key: randomUUID(), body: gift }
  await request('POST /admin/vouchers', asked)
  const emailsOfJobs = async () => {
    const { rows } = await superuser.query<{ email: string }>(
      "select distinct coalesce(data->>'to', data->>'email') as email from pgboss.job where data->>'storeId' = $1",
      [store.id],
    )
    return rows.flatMap(({ email }) => email ?? [])
  }
  const before = await emailsOfJobs()

  const body = { current_password: PASSWORD }
  const { status } = await request('POST /auth/me/delete', { store, token: attacker.token, body })

  const jobs = await emailsOfJobs()
  await drainJobs()
  const repeated = await request('POST /admin/vouchers', asked)
  assert.equal(status, 200)
  assert.deepEqual(
    before.toSorted(),
    [attacker.email, victim.email, 'wanted@example.test'].toSorted(),
    'control',
  )
  assert.deepEqual(jobs, [victim.email])
  assert.equal(repeated.headers.get('idempotent-replayed'), 'true')
  assert.equal(repeated.data.to_name, 'Vic')
})

test('POST /auth/me/delete takes the password and erases the account', async () => {
  const found = await scene()
  const { store, marks, own } = found
  const remove = (current_password: string) => own('POST /auth/me/delete', { body: { current_password } })

  const refused = await remove('wrong password')
  const { status } = await remove(PASSWORD)

  assert.equal(refused.error_code, 'auth.invalid_credentials')
  assert.equal(status, 200)
  assert.equal((await own('GET /auth/me')).status, 401)
  assert.deepEqual(await tablesWith([marks.email, marks.lastname]), [])
  const login = { email: marks.email, password: PASSWORD }
  assert.equal((await request('POST /auth/login', { store, body: login })).status, 401)
  const registered = await request('POST /auth/register', {
    store,
    body: { ...login, firstname: 'Ada', lastname: 'Byron' },
  })
  assert.equal(registered.status, 201, 'the address is free again')
})

test('the export has all stored data of the customer; customer and staff get the same but internal notes', async () => {
  const found = await scene()
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
  const found = await scene()
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
        await bookRefundedAmount(tx, order, { amountMinor: 100n, units: [] })
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
  const { store, marks, own, customer } = await scene()
  const product = await buildProduct(store)
  const order = await buildShippedOrder(store, { customerId: customer.id })
  await inStore(store.id, (tx) => changeOrderStatus(tx, order.id, 'complete', 'system'))
  const { firstname, lastname, email, note, street: address_1 } = marks
  const gift = { amount: 20, to_name: firstname, to_email: email, from_name: firstname, from_email: email }
  const items = [{ order_item_id: order.lines[0]?.id, quantity: 1, reason: 'unwanted' }]
  const within = (work: (tx: StoreTx) => Promise<void>) => inStore(store.id, work)
  const erasure = await pending(within, (tx) => anonymizeCustomer(tx, customer.id))

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
