import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assertNoOpenDispute } from '#shared/disputes/dispute.ts'
import { readDisputeVersion, recordDispute } from '#shared/disputes/record-dispute.ts'
import { failPayment } from '#shared/payments/close/fail-payment.ts'
import { recordClosedAtGateway } from '#shared/payments/close/record-closed-at-gateway.ts'
import { recordOpenedPayment } from '#shared/payments/open/record-opened-payment.ts'
import { listSurpluses } from '#shared/payments/surplus.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { markSurplusReturned } from '#shared/refunds/request/mark-surplus-returned.ts'
import { requestRefund } from '#shared/refunds/request/request-refund.ts'
import { applyCapture } from '#shared/settlement/apply-capture.ts'
import { resolveMismatch } from '#shared/settlement/resolve-mismatch.ts'
import type { Right } from '#shared/staff/rights.ts'
import { settleRefund } from '#test/sandbox/gateway/refunds.ts'
import { buildApiToken } from '#test/support/builders/accounts.ts'
import { buildCapturedOrder } from '#test/support/builders/captured-order.ts'
import { buildMarkedCustomer } from '#test/support/builders/marked-customer.ts'
import { buildOrder, buildPaidOrder } from '#test/support/builders/orders.ts'
import { requester } from '#test/support/builders/refund-requester.ts'
import { buildReturn, buildShippedOrder } from '#test/support/builders/returns.ts'
import { nextNumber } from '#test/support/builders/store.ts'
import { buildSubscription } from '#test/support/builders/subscriptions.ts'
import { request } from '#test/support/processes/app.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { notify } from '#test/support/processes/notify.ts'

test('a customer whose failed order can still be paid is not anonymized until the gateway has closed the payment', async () => {
  const { store, as, customer } = await buildMarkedCustomer()
  const { paymentId } = await buildOrder(store, { customerId: customer.id })
  await inStore(store.id, async (tx) => {
    const opened = { reference: `pi_built_${nextNumber()}`, clientSecret: 'secret_built' }
    await recordOpenedPayment(tx, paymentId ?? '', opened)
    await failPayment(tx, paymentId ?? '', { status: 'failed', reason: 'card_declined' })
  })
  const anonymize = () => as(`POST /admin/customers/${customer.id}/anonymize`)

  const declined = await anonymize()
  await inStore(store.id, (tx) => recordClosedAtGateway(tx, paymentId ?? ''))

  assert.equal(declined.error_code, 'customer.has_open_business')
  assert.match(declined.error ?? '', /\(failed\)/)
  assert.equal((await anonymize()).status, 200)
})

test('a customer who received goods and did not pay them is not anonymized until the order is paid', async () => {
  const { store, as, customer } = await buildMarkedCustomer()
  const { id, number } = await buildOrder(store, {
    customerId: customer.id,
    paymentMethod: 'cash_on_delivery',
  })
  assert.equal((await as(`PATCH /admin/orders/${id}`, { body: { status: 'complete' } })).status, 200)
  const anonymize = () => as(`POST /admin/customers/${customer.id}/anonymize`)

  const unpaid = await anonymize()
  assert.equal((await as(`POST /admin/orders/${id}/mark-paid`, { body: {} })).status, 200)

  assert.equal(unpaid.error_code, 'customer.has_open_business')
  assert.match(unpaid.error ?? '', new RegExp(`order ${number} \\(not paid\\)`))
  assert.equal((await anonymize()).status, 200)
})

test('a customer whose failed order has money to return is not anonymized until the money is returned', async () => {
  const { store, as, customer } = await buildMarkedCustomer()
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
      { actor: 'staff:1', disputes: { assertNoOpenDispute } },
    ),
  )

  for (const refused of [undecided, owed]) {
    assert.equal(refused.error_code, 'customer.has_open_business')
    assert.ok(refused.error?.includes(`order ${number} (money to return)`))
  }
  assert.equal((await anonymize()).status, 200)
})

test('a customer with a refund in progress is not anonymized until the refund has ended', async () => {
  const { store, as, customer } = await buildMarkedCustomer()
  const order = await buildCapturedOrder(store, {
    customerId: customer.id,
    gateway,
    card: 'pm_card_pendingRefund',
  })
  await as(`PATCH /admin/orders/${order.id}`, { body: { status: 'complete' } })
  await inStore(store.id, (tx) => requestRefund(tx, order.id, { amountMinor: 500n }, requester('staff:1')))
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
  const { store, as, customer } = await buildMarkedCustomer()
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

test('a customer with an open dispute can be deactivated, and anonymized once the bank has decided', async () => {
  const { store, as, customer } = await buildMarkedCustomer()
  const order = await buildPaidOrder(store, { customerId: customer.id })
  await as(`PATCH /admin/orders/${order.id}`, { body: { status: 'complete' } })
  const dispute = {
    provider: 'stripe',
    reference: `du_built_${nextNumber()}`,
    paymentReference: order.reference,
    reason: 'product_not_received',
    amountMinor: 500n,
    currency: 'EUR',
    respondBy: null,
    openedAt: now(),
  }
  await inStore(store.id, (tx) => recordDispute(tx, { ...dispute, status: 'needs_response' }, null))
  const anonymize = () => as(`POST /admin/customers/${customer.id}/anonymize`)

  const disputed = await anonymize()
  const deactivated = await as(`DELETE /admin/customers/${customer.id}`)
  await inStore(store.id, async (tx) => {
    const version = await readDisputeVersion(tx, dispute.reference)
    await recordDispute(tx, { ...dispute, status: 'won' }, version)
  })

  assert.partialDeepStrictEqual(disputed, { status: 409, error_code: 'customer.has_open_business' })
  assert.ok(disputed.error?.includes(`order ${order.number} (disputed at the bank)`))
  assert.equal(deactivated.status, 200)
  assert.equal((await anonymize()).status, 200)
})

test("without the right to read sales, the refusal only counts open business, also guests' orders", async () => {
  const { store, customer, marks } = await buildMarkedCustomer()
  await buildOrder(store, { customerId: customer.id })
  await buildReturn(store, await buildShippedOrder(store, { customerId: customer.id }))
  await buildSubscription(store, { customer })
  await buildOrder(store, { email: marks.email })
  const { token } = await buildApiToken(store, 'customers:write')

  const closed = await request(`DELETE /admin/customers/${customer.id}`, { token })
  const erased = await request(`POST /admin/customers/${customer.id}/anonymize`, { token, key: randomUUID() })

  for (const refused of [closed, erased])
    assert.equal(
      refused.error,
      "Complete or cancel this customer's open business first: 3 orders, 1 return, 1 subscription.",
    )
})

test("without the right to read sales, the erasure of a customer counts guests' orders", async () => {
  const { store, customer, marks } = await buildMarkedCustomer()
  const guests = await buildOrder(store, { email: marks.email })
  const erase = async (...rights: Right[]) => {
    const { token } = await buildApiToken(store, 'customers:write', ...rights)
    return request(`POST /admin/customers/${customer.id}/anonymize`, { token, key: randomUUID() })
  }

  const counted = await erase()
  const named = await erase('sales:read')

  assert.equal(counted.error, "Complete or cancel this customer's open business first: 1 order.")
  assert.equal(
    named.error,
    `Complete or cancel this customer's open business first: order ${guests.number} (pending).`,
  )
})
