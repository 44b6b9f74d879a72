import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import '#test/support/database.ts'
import '#test/support/processes/gateway.ts'
import { bounceRefund, createRefund, settleRefund } from '#test/sandbox/gateway/refunds.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildOrderPaidByCard } from '#test/support/builders/card-order.ts'
import {
  buildShop,
  checkOut,
  confirm,
  fillCart,
  placeCardOrder,
  referenceOf,
} from '#test/support/builders/place-orders.ts'
import { buildVoucher, readVoucher } from '#test/support/builders/vouchers.ts'
import { request } from '#test/support/processes/app.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { notify, sendEvent } from '#test/support/processes/notify.ts'
import { applyNotification } from '#workers/payments/notifications/apply-notification.ts'

test('a whole refund made at the gateway refunds the order and emits order.refunded', async () => {
  const { read, refundInDashboard, events, patch } = await buildOrderPaidByCard()

  await notify('refund.created', refundInDashboard())

  assert.partialDeepStrictEqual(await read(), {
    status: 'refunded',
    payment_status: 'refunded',
    amount_refunded: 25,
  })
  const [event] = await events('order.refunded')
  assert.partialDeepStrictEqual(event?.data, {
    amount_refunded: 25,
    refund: { origin: 'gateway', amount: 25 },
  })
  const again = await patch('refunded')
  const shipped = await patch('shipped')
  assert.deepEqual(
    { again: again.status, shipped: shipped.error_code },
    { again: 200, shipped: 'order.invalid_transition' },
  )
})

test('partial refunds made at the gateway add up, and repeats change nothing', async () => {
  const { read, refundInDashboard, token, order } = await buildOrderPaidByCard()
  const [first, second] = [refundInDashboard(700), refundInDashboard(800)]

  for (const refund of [first, second, first, second]) await notify('refund.created', refund)
  await notify('refund.updated', first)

  assert.partialDeepStrictEqual(await read(), { status: 'processing', amount_refunded: 15 })
  const { data } = await request(`GET /admin/orders/${order.id}/refunds`, { token })
  assert.partialDeepStrictEqual(data, [
    { origin: 'gateway', amount: 8 },
    { origin: 'gateway', amount: 7 },
  ])
})

test('after a refund of a fraction of a forint at the gateway, the rest can be refunded', async () => {
  const { read, refundInDashboard, patch } = await buildOrderPaidByCard({ currency: 'HUF' })
  await notify('refund.created', refundInDashboard(150))
  assert.partialDeepStrictEqual(await read(), { amount_captured: 2_500, amount_refunded: 2 })

  await patch('refunded')

  assert.partialDeepStrictEqual(await read(), { status: 'refunded', amount_refunded: 2_500 })
})

test('two refunds at the gateway with fractions of a forint add up to the payment', async () => {
  const { read, refundInDashboard, compareWithLedger } = await buildOrderPaidByCard({ currency: 'HUF' })

  for (const units of [125_050, 124_950]) await notify('refund.created', refundInDashboard(units))

  assert.partialDeepStrictEqual(await read(), { status: 'refunded', amount_refunded: 2_500 })
  assert.deepEqual(await compareWithLedger(), [])
})

test('many refunds of a fraction of a forint leave the rest to be refunded', async () => {
  const { read, refundInDashboard, patch, compareWithLedger } = await buildOrderPaidByCard({
    currency: 'HUF',
  })
  for (const units of [150, 150, 150]) await notify('refund.created', refundInDashboard(units))
  assert.partialDeepStrictEqual(await read(), { amount_refunded: 5 })

  await patch('refunded')

  assert.partialDeepStrictEqual(await read(), { status: 'refunded', amount_refunded: 2_500 })
  assert.deepEqual(await compareWithLedger(), [])
})

test('refunds of less than a forint leave the rest to be refunded', async () => {
  const { read, refundInDashboard, patch, compareWithLedger } = await buildOrderPaidByCard({
    currency: 'HUF',
  })
  for (const units of [50, 50, 50]) await notify('refund.created', refundInDashboard(units))
  assert.partialDeepStrictEqual(await read(), { amount_refunded: 2 })

  await patch('refunded')
  await notify('refund.created', refundInDashboard())

  assert.partialDeepStrictEqual(await read(), { status: 'refunded', amount_refunded: 2_500 })
  assert.deepEqual(await compareWithLedger(), [])
})

const FRACTIONS = [
  { what: 'the first', units: [125_050, 124_950], bounced: 0, refunded: 1_250 },
  { what: 'the second', units: [125_050, 124_950], bounced: 1, refunded: 1_251 },
  { what: 'the one that was rounded down', units: [150, 150, 150], bounced: 1, refunded: 3 },
]

for (const { what, units, bounced, refunded } of FRACTIONS)
  test(`the bank sends back ${what} of ${units.length} refunds with fractions of a forint: the others are exact`, async () => {
    const { read, refundInDashboard, patch, compareWithLedger } = await buildOrderPaidByCard({
      currency: 'HUF',
    })
    const made = units.map(refundInDashboard)
    for (const refund of made) await notify('refund.created', refund)

    const { id } = made[bounced] ?? assert.fail()
    await notify(
      'refund.failed',
      gateway.change((context) => bounceRefund(context, id)),
    )

    assert.partialDeepStrictEqual(await read(), { amount_refunded: refunded })
    assert.deepEqual(await compareWithLedger(), [])
    await patch('refunded')
    assert.partialDeepStrictEqual(await read(), { amount_refunded: 2_500 })
    assert.deepEqual(await compareWithLedger(), [])
  })

test('refunds with fractions of a forint that succeed in another order add up to the payment', async () => {
  const { read, refundInDashboard, compareWithLedger } = await buildOrderPaidByCard({
    currency: 'HUF',
    card: 'pm_card_pendingRefund',
  })
  const [first, second] = [refundInDashboard(125_050), refundInDashboard(124_950)]
  for (const refund of [first, second]) await notify('refund.created', refund)
  const succeed = ({ id }: { id: string }) =>
    notify(
      'refund.updated',
      gateway.change((context) => settleRefund(context, id, 'succeeded')),
    )

  await succeed(second)
  assert.partialDeepStrictEqual(await read(), { amount_refunded: 1_250 })
  await succeed(first)

  assert.partialDeepStrictEqual(await read(), { status: 'refunded', amount_refunded: 2_500 })
  assert.deepEqual(await compareWithLedger(), [])
})

test('a refund made at the gateway while staff refund the rest is booked beside it', async () => {
  const { order, token, read, refundInDashboard } = await buildOrderPaidByCard()
  const made = refundInDashboard(1_000)

  const { data } = await request(`POST /admin/orders/${order.id}/refunds`, {
    token,
    key: randomUUID(),
    headers: { Prefer: 'respond-async' },
    body: { amount: 25 },
  })
  await drainJobs()
  await notify('refund.created', made)

  const { data: refunds } = await request(`GET /admin/orders/${order.id}/refunds`, { token })
  assert.partialDeepStrictEqual(refunds, [
    { origin: 'gateway', status: 'succeeded', amount: 10 },
    { id: data.id, origin: 'store', status: 'failed', failure_reason: 'amount_too_large' },
  ])
  assert.partialDeepStrictEqual(await read(), { status: 'processing', amount_refunded: 10 })
})

test('a refusal because of a refund made at the gateway books that refund', async () => {
  const { read, refundInDashboard, patch } = await buildOrderPaidByCard()
  refundInDashboard()

  await patch('refunded')

  assert.partialDeepStrictEqual(await read(), { status: 'refunded', amount_refunded: 25 })
  assert.equal((await patch('refunded')).status, 200)
})

test('a refund goes to the voucher while the gateway refunds the whole card payment', async () => {
  const shop = await buildShop(10)
  const { store } = shop
  const { token } = await buildStaff(store, { role: 'owner' })
  const { id: voucherId, code } = await buildVoucher(store, { amountMinor: 1_000n })
  const cart = await fillCart(store, shop.variantId, 2)
  const { data } = await checkOut(shop, { cart, body: { voucher_code: code } })
  await drainJobs()
  const reference = await referenceOf(store, data.payment.id)
  await notify('payment_intent.succeeded', await confirm(reference, 'pm_card_pendingRefund'))
  await notify(
    'refund.created',
    gateway.change((context) => createRefund(context, { payment_intent: reference })),
  )
  const refund = (amount: number) =>
    request(`POST /admin/orders/${data.order.id}/refunds`, { token, key: randomUUID(), body: { amount } })

  const more = await refund(11)
  const rest = await refund(10)

  assert.deepEqual({ more: more.error_code, rest: rest.status }, { more: 'refund.in_progress', rest: 201 })
  assert.partialDeepStrictEqual(rest.data, { amount: 10, voucher_amount: 10, status: 'succeeded' })
  assert.equal((await readVoucher(store, voucherId)).remainingMinor, 1_000n)
})

test('a refund outside the gateway is refused while the gateway pays the money back', async () => {
  const { order, token, read, refundInDashboard } = await buildOrderPaidByCard({
    card: 'pm_card_pendingRefund',
  })
  await notify('refund.created', refundInDashboard(1_000))
  const refund = (amount: number) =>
    request(`POST /admin/orders/${order.id}/refunds`, {
      token,
      key: randomUUID(),
      body: { amount, outside_gateway: true, reason: 'By bank transfer' },
    })

  const { status, error_code } = await refund(16)

  assert.deepEqual({ status, error_code }, { status: 409, error_code: 'refund.in_progress' })
  assert.equal((await refund(15)).status, 201)
  assert.partialDeepStrictEqual(await read(), { status: 'processing', amount_refunded: 15 })
})

test('events are applied to the payment of their reference, whatever their metadata names', async () => {
  const other = await buildOrderPaidByCard()
  const { order, read, refundInDashboard } = await buildOrderPaidByCard()
  const made = refundInDashboard(1_000)
  const forged = {
    store_id: other.shop.store.id,
    order_id: other.order.id,
    payment_id: other.order.paymentId,
  }
  const [intent] = gateway.ledger().payment_intents.filter(({ id }) => id === order.reference)

  await notify('refund.created', { ...made, metadata: forged })
  await notify('payment_intent.succeeded', { ...intent, metadata: forged })

  assert.partialDeepStrictEqual(await read(), { amount_refunded: 10, surpluses: [] })
  const { payments, surpluses } = await other.read()
  assert.deepEqual({ payments: payments.length, surpluses }, { payments: 1, surpluses: [] })
})

test('a refund made at the gateway that names a refund of another order leaves that one alone', async () => {
  const { order, token, shop, read } = await buildOrderPaidByCard({ card: 'pm_card_pendingRefund' })
  const { data } = await request(`POST /admin/orders/${order.id}/refunds`, {
    token,
    key: randomUUID(),
    headers: { Prefer: 'respond-async' },
    body: { amount: 5 },
  })
  const second = await placeCardOrder(shop, 1)
  await notify('payment_intent.succeeded', await confirm(second.reference))
  const made = gateway.change((context) =>
    createRefund(context, { payment_intent: second.reference, amount: '1000' }),
  )

  const metadata = { store_id: shop.store.id, refund_id: data.id }
  await sendEvent('refund.created', { ...made, metadata })
  await drainJobs([applyNotification])

  assert.partialDeepStrictEqual(await read(), { amount_refunded: 0 })
  const { data: paid } = await request(`GET /admin/orders/${second.id}`, { token })
  assert.partialDeepStrictEqual(paid, { amount_refunded: 10 })
})

test('a refund made at the gateway that fails later is subtracted again', async () => {
  const { read, refundInDashboard, events } = await buildOrderPaidByCard({ card: 'pm_card_pendingRefund' })
  const made = refundInDashboard(1_000)
  await notify('refund.created', made)
  assert.partialDeepStrictEqual(await read(), { amount_refunded: 0 })

  await notify(
    'refund.updated',
    gateway.change((context) => settleRefund(context, made.id, 'succeeded')),
  )
  assert.partialDeepStrictEqual(await read(), { amount_refunded: 10 })
  await notify('refund.failed', { ...made, status: 'failed', failure_reason: 'lost_or_stolen_card' })

  assert.partialDeepStrictEqual(await read(), { amount_refunded: 0, payment_status: 'paid' })
  assert.equal((await events('order.refund_failed')).length, 1)
})

test('a refund whose failure event arrives before its creation event stays failed', async () => {
  const { read, refundInDashboard } = await buildOrderPaidByCard()
  const made = refundInDashboard(1_000)

  await notify('refund.failed', { ...made, status: 'failed', failure_reason: 'lost_or_stolen_card' })
  await notify('refund.created', made)

  assert.partialDeepStrictEqual(await read(), { amount_refunded: 0 })
})

test("a refund of another store's payment is booked there alone", async () => {
  const mine = await buildOrderPaidByCard()
  const theirs = await buildOrderPaidByCard()
  const made = theirs.refundInDashboard(1_000)

  await notify('refund.created', { ...made, metadata: { store_id: mine.shop.store.id } })

  assert.partialDeepStrictEqual(await mine.read(), { amount_refunded: 0 })
})

/** A shipped order with a refund of 10.00 whose money the bank of the buyer returned, and the list of such orders. */
async function bouncedScene() {
  const { order, token, patch, read } = await buildOrderPaidByCard()
  const list = async () =>
    (await request('GET /admin/orders?needs=refund', { token })).data.map(({ id }: { id: string }) => id)
  const refund = async (amount: number) => {
    await request(`POST /admin/orders/${order.id}/refunds`, {
      token,
      key: randomUUID(),
      headers: { Prefer: 'respond-async' },
      body: { amount },
    })
    await drainJobs()
  }
  await patch('shipped')
  await refund(10)
  const before = await list()
  const made = gateway.ledger().refunds.find(({ payment_intent }) => payment_intent === order.reference)
  await notify(
    'refund.failed',
    gateway.change((context) => bounceRefund(context, made?.id ?? '')),
  )
  return { order, before, list, refund, read }
}

test('needs=refund lists an order whose refund bounced, until later refunds pay the same amount', async () => {
  const { order, before, list, refund, read } = await bouncedScene()

  const bounced = await list()
  await refund(10)

  assert.equal((await read()).amount_refunded, 10)
  assert.deepEqual({ before, bounced, after: await list() }, { before: [], bounced: [order.id], after: [] })
})

test('a list still finds an order whose refund a bank returned after a smaller refund', async () => {
  const { order, list, refund } = await bouncedScene()

  await refund(4)
  const afterSmaller = await list()
  await refund(6)

  assert.deepEqual({ afterSmaller, afterAll: await list() }, { afterSmaller: [order.id], afterAll: [] })
})

test('a list finds an order whose refund at the gateway a bank returned', async () => {
  const { order, token, refundInDashboard } = await buildOrderPaidByCard()
  const made = refundInDashboard(1_000)
  await notify('refund.created', made)

  await notify(
    'refund.failed',
    gateway.change((context) => bounceRefund(context, made.id)),
  )

  const { data } = await request('GET /admin/orders?needs=refund', { token })
  assert.deepEqual(
    data.map(({ id }: { id: string }) => id),
    [order.id],
  )
})

test('a list finds an order whose refund the gateway refused, until another refund is made', async () => {
  const { order, token } = await buildOrderPaidByCard()
  const list = async () => (await request('GET /admin/orders?needs=refund', { token })).meta.total
  const refund = async (amount: number) => {
    await request(`POST /admin/orders/${order.id}/refunds`, {
      token,
      key: randomUUID(),
      headers: { Prefer: 'respond-async' },
      body: { amount },
    })
    await drainJobs()
  }
  gateway.faults.set({ on: 'POST /v1/refunds', mode: 'decline', times: 1 })
  await refund(10)
  const refused = await list()

  await refund(4)

  assert.deepEqual({ refused, after: await list() }, { refused: 1, after: 0 })
})

testBooks()
