import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import '#test/support/database.ts'
import '#test/support/gateway.ts'
import { DAY_MS, inMs } from '#shared/platform/time/clock.ts'
import { changeDispute, openDispute } from '#test/sandbox/gateway/disputes.ts'
import { bounceRefund, createRefund, settleRefund } from '#test/sandbox/gateway/refunds.ts'
import type { DisputeStatus } from '#test/sandbox/gateway/types.ts'
import { request } from '#test/support/app.ts'
import { buildStaff } from '#test/support/build-accounts.ts'
import { buildVoucher, readVoucher } from '#test/support/build-vouchers.ts'
import { gateway } from '#test/support/gateway.ts'
import { drainJobs } from '#test/support/jobs.ts'
import { notify, sendEvent } from '#test/support/notify.ts'
import {
  buildShop,
  checkOut,
  confirm,
  fillCart,
  placeCardOrder,
  referenceOf,
} from '#test/support/place-orders.ts'
import { eventsOf } from '#test/support/read-refunds.ts'
import { testBooks } from '#test/support/test-books.ts'
import { stripeGateway } from '#workers/gateways/stripe.ts'
import { settleNotification } from '#workers/payments/settle-notification.ts'
import { compareWithGateway } from '#workers/reconciliation/compare-with-gateway.ts'

/** A paid card order of 25.00, with the gateway's dashboard and the bank of its buyer. */
async function paidOrder({ card = 'pm_card_visa', currency = 'EUR' } = {}) {
  const shop = await buildShop(10, { currency })
  const order = await placeCardOrder(shop, 2)
  const { token } = await buildStaff(shop.store, { role: 'owner' })
  await notify('payment_intent.succeeded', await confirm(order.reference, card))
  const refundInDashboard = (amount?: number) =>
    gateway.change((context) =>
      createRefund(context, {
        payment_intent: order.reference,
        ...(amount ? { amount: String(amount) } : {}),
      }),
    )
  const patch = async (status: string) => {
    const answered = await request(`PATCH /admin/orders/${order.id}`, {
      token,
      headers: { Prefer: 'respond-async' },
      body: { status },
    })
    await drainJobs()
    return answered
  }
  return {
    ...{ shop, order, token, refundInDashboard, patch },
    read: async () => (await request(`GET /admin/orders/${order.id}`, { token })).data,
    events: (...types: string[]) => eventsOf(shop.store, order.id, ...types),
    compareWithLedger: () =>
      compareWithGateway(stripeGateway(), shop.store.id, { from: inMs(-DAY_MS), to: inMs(DAY_MS) }),
    dispute: async (amount?: number) => {
      const dispute = gateway.change((context) =>
        openDispute(context, { payment_intent: order.reference, ...(amount ? { amount } : {}) }),
      )
      await notify('charge.dispute.created', dispute)
      return async (status: DisputeStatus) => {
        const changed = gateway.change((context) => changeDispute(context, dispute.id, status))
        const isOpen = status === 'under_review'
        await notify(isOpen ? 'charge.dispute.updated' : 'charge.dispute.closed', changed)
      }
    },
  }
}

test('a whole refund made at the gateway refunds the order and emits order.refunded', async () => {
  const { read, refundInDashboard, events, patch } = await paidOrder()

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
  const { read, refundInDashboard, token, order } = await paidOrder()
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
  const { read, refundInDashboard, patch } = await paidOrder({ currency: 'HUF' })
  await notify('refund.created', refundInDashboard(150))
  assert.partialDeepStrictEqual(await read(), { amount_captured: 2_500, amount_refunded: 2 })

  await patch('refunded')

  assert.partialDeepStrictEqual(await read(), { status: 'refunded', amount_refunded: 2_500 })
})

test('two refunds at the gateway with fractions of a forint add up to the payment', async () => {
  const { read, refundInDashboard, compareWithLedger } = await paidOrder({ currency: 'HUF' })

  for (const units of [125_050, 124_950]) await notify('refund.created', refundInDashboard(units))

  assert.partialDeepStrictEqual(await read(), { status: 'refunded', amount_refunded: 2_500 })
  assert.deepEqual(await compareWithLedger(), [])
})

test('many refunds of a fraction of a forint leave the rest to be refunded', async () => {
  const { read, refundInDashboard, patch, compareWithLedger } = await paidOrder({ currency: 'HUF' })
  for (const units of [150, 150, 150]) await notify('refund.created', refundInDashboard(units))
  assert.partialDeepStrictEqual(await read(), { amount_refunded: 5 })

  await patch('refunded')

  assert.partialDeepStrictEqual(await read(), { status: 'refunded', amount_refunded: 2_500 })
  assert.deepEqual(await compareWithLedger(), [])
})

test('refunds of less than a forint leave the rest to be refunded', async () => {
  const { read, refundInDashboard, patch, compareWithLedger } = await paidOrder({ currency: 'HUF' })
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
  test(`of ${units.length} refunds with fractions of a forint the bank sends ${what} back: the others are exact`, async () => {
    const { read, refundInDashboard, patch, compareWithLedger } = await paidOrder({ currency: 'HUF' })
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
  const { read, refundInDashboard, compareWithLedger } = await paidOrder({
    ...{ currency: 'HUF', card: 'pm_card_pendingRefund' },
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
  const { order, token, read, refundInDashboard } = await paidOrder()
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
  const { read, refundInDashboard, patch } = await paidOrder()
  refundInDashboard()

  await patch('refunded')

  assert.partialDeepStrictEqual(await read(), { status: 'refunded', amount_refunded: 25 })
  assert.equal((await patch('refunded')).status, 200)
})

test('a refund beside one of the whole card that the gateway is making goes to the voucher', async () => {
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
  const { order, token, read, refundInDashboard } = await paidOrder({ card: 'pm_card_pendingRefund' })
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
  const other = await paidOrder()
  const { order, read, refundInDashboard } = await paidOrder()
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
  const { order, token, shop, read } = await paidOrder({ card: 'pm_card_pendingRefund' })
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
  await drainJobs([settleNotification])

  assert.partialDeepStrictEqual(await read(), { amount_refunded: 0 })
  const { data: paid } = await request(`GET /admin/orders/${second.id}`, { token })
  assert.partialDeepStrictEqual(paid, { amount_refunded: 10 })
})

test('a refund made at the gateway that fails later is subtracted again', async () => {
  const { read, refundInDashboard, events } = await paidOrder({ card: 'pm_card_pendingRefund' })
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
  const { read, refundInDashboard } = await paidOrder()
  const made = refundInDashboard(1_000)

  await notify('refund.failed', { ...made, status: 'failed', failure_reason: 'lost_or_stolen_card' })
  await notify('refund.created', made)

  assert.partialDeepStrictEqual(await read(), { amount_refunded: 0 })
})

test("a refund of another store's payment is booked there alone", async () => {
  const mine = await paidOrder()
  const theirs = await paidOrder()
  const made = theirs.refundInDashboard(1_000)

  await notify('refund.created', { ...made, metadata: { store_id: mine.shop.store.id } })

  assert.partialDeepStrictEqual(await mine.read(), { amount_refunded: 0 })
})

test('an open dispute holds the shipment, and is listed with its order', async () => {
  const { dispute, patch, read, events, token } = await paidOrder()
  const bankDecides = await dispute()

  const held = await patch('shipped')
  await bankDecides('under_review')
  const stillHeld = await patch('shipped')

  assert.deepEqual(
    { held: held.error_code, stillHeld: stillHeld.error_code },
    { held: 'order.disputed', stillHeld: 'order.disputed' },
  )
  assert.partialDeepStrictEqual(await read(), { disputes: [{ status: 'under_review', amount: 25 }] })
  const { data } = await request('GET /admin/disputes?status=under_review', { token })
  assert.partialDeepStrictEqual(data, [{ reason: 'fraudulent', amount: 25, closed_at: null }])
  const [event] = await events('order.disputed')
  assert.partialDeepStrictEqual(event?.data, { dispute: { status: 'needs_response' } })
})

test('a won dispute releases the shipment and moves no money', async () => {
  const { dispute, patch, read, events } = await paidOrder()
  const bankDecides = await dispute()

  await bankDecides('won')

  assert.equal((await patch('shipped')).status, 200)
  assert.partialDeepStrictEqual(await read(), { status: 'shipped', amount_refunded: 0 })
  const [event] = await events('order.dispute_closed')
  assert.partialDeepStrictEqual(event?.data, { dispute: { status: 'won' } })
})

test('a lost dispute is booked as refunded, once', async () => {
  const { dispute, read, events, order } = await paidOrder()
  const bankDecides = await dispute()

  await bankDecides('lost')
  const [lost] = gateway.ledger().disputes.filter(({ payment_intent }) => payment_intent === order.reference)
  await notify('charge.dispute.closed', lost ?? {})

  assert.partialDeepStrictEqual(await read(), { status: 'refunded', amount_refunded: 25 })
  const refunded = await events('order.refunded')
  assert.partialDeepStrictEqual(
    refunded.map(({ data }) => data.refund),
    [{ origin: 'dispute', amount: 25 }],
  )
  assert.equal((await events('order.dispute_closed')).length, 1)
})

test('a lost dispute of a part books that part', async () => {
  const { dispute, read } = await paidOrder()
  const bankDecides = await dispute(1_000)

  await bankDecides('lost')

  assert.partialDeepStrictEqual(await read(), { status: 'processing', amount_refunded: 10 })
})

test('a refund that fails after the whole payment was lost leaves the order refunded', async () => {
  const { read, refundInDashboard, dispute } = await paidOrder()
  const made = refundInDashboard(1_000)
  await notify('refund.created', made)
  const bankDecides = await dispute()
  await bankDecides('lost')
  assert.partialDeepStrictEqual(await read(), { status: 'refunded', amount_refunded: 25 })

  await notify('refund.failed', { ...made, status: 'failed', failure_reason: 'lost_or_stolen_card' })

  assert.partialDeepStrictEqual(await read(), { status: 'refunded', amount_refunded: 25 })
})

test('a dispute whose update event arrives before its opening event keeps the status of the update', async () => {
  const { order, read } = await paidOrder()
  const opened = gateway.change((context) => openDispute(context, { payment_intent: order.reference }))
  const updated = gateway.change((context) => changeDispute(context, opened.id, 'under_review'))

  await notify('charge.dispute.updated', updated)
  await notify('charge.dispute.created', opened)

  assert.partialDeepStrictEqual(await read(), { disputes: [{ status: 'under_review' }] })
})

test('a dispute whose closing event arrives before its opening event stays closed', async () => {
  const { order, read, patch } = await paidOrder()
  const opened = gateway.change((context) => openDispute(context, { payment_intent: order.reference }))
  const closed = gateway.change((context) => changeDispute(context, opened.id, 'won'))

  await notify('charge.dispute.closed', closed)
  await notify('charge.dispute.created', opened)

  assert.partialDeepStrictEqual(await read(), { disputes: [{ status: 'won' }] })
  assert.equal((await patch('shipped')).status, 200)
})

test('two events of a dispute at once: a read that started earlier does not replace a later one', async () => {
  const { order, read } = await paidOrder()
  const opened = gateway.change((context) => openDispute(context, { payment_intent: order.reference }))
  gateway.faults.set({ on: 'GET /v1/disputes/:id', mode: 'hang_after', times: 1 })
  await sendEvent('charge.dispute.created', opened)
  const earlier = drainJobs([settleNotification])
  await gateway.waitFor('received', { path: `/v1/disputes/${opened.id}` })
  // The gateway has read the dispute, and its answer waits.
  await setImmediate()

  const updated = gateway.change((context) => changeDispute(context, opened.id, 'under_review'))
  await notify('charge.dispute.updated', updated)
  assert.partialDeepStrictEqual(await read(), { disputes: [{ status: 'under_review' }] })
  await gateway.release()
  await earlier

  assert.partialDeepStrictEqual(await read(), { disputes: [{ status: 'under_review' }] })
})

test('a closed inquiry that becomes a dispute holds the shipment', async () => {
  const { order, read, patch, events } = await paidOrder()
  const inquiry = gateway.change((context) =>
    openDispute(context, { payment_intent: order.reference, status: 'warning_needs_response' }),
  )
  await notify('charge.dispute.created', inquiry)
  await notify(
    'charge.dispute.closed',
    gateway.change((context) => changeDispute(context, inquiry.id, 'warning_closed')),
  )

  const escalated = gateway.change((context) =>
    context.books.put('disputes', { ...inquiry, status: 'needs_response' }),
  )
  await notify('charge.dispute.updated', escalated)

  assert.partialDeepStrictEqual(await read(), { disputes: [{ status: 'needs_response', closed_at: null }] })
  assert.equal((await patch('shipped')).error_code, 'order.disputed')
  assert.equal((await events('order.disputed')).length, 2)
})

test('a dispute shows the amount that the bank has changed, and that amount is booked when it is lost', async () => {
  const { order, read, events } = await paidOrder()
  const inquiry = gateway.change((context) =>
    openDispute(context, {
      payment_intent: order.reference,
      amount: 1_000,
      status: 'warning_needs_response',
    }),
  )
  await notify('charge.dispute.created', inquiry)

  const escalated = gateway.change((context) =>
    context.books.put('disputes', { ...inquiry, amount: 1_500, reason: 'general', status: 'needs_response' }),
  )
  await notify('charge.dispute.updated', escalated)
  assert.partialDeepStrictEqual(await read(), { disputes: [{ amount: 15, reason: 'general' }] })
  assert.equal((await events('order.disputed')).length, 1)

  gateway.change((context) => context.books.put('disputes', { ...escalated, amount: 2_000 }))
  const lost = gateway.change((context) => changeDispute(context, inquiry.id, 'lost'))
  await notify('charge.dispute.closed', lost)
  assert.partialDeepStrictEqual(await read(), {
    amount_refunded: 20,
    disputes: [{ amount: 20, status: 'lost' }],
  })
})

/** Gives a dispute another status or amount at the gateway, whose bank had decided, and delivers the event. */
async function revise(reference: string, changes: { status?: DisputeStatus; amount?: number }) {
  const [known] = gateway.ledger().disputes.filter(({ payment_intent }) => payment_intent === reference)
  if (!known) throw new Error(`${reference} has no dispute`)
  const revised = gateway.change(({ books }) => books.put('disputes', { ...known, ...changes }))
  await notify('charge.dispute.updated', revised)
}

test('a lost dispute that the bank revises is subtracted, and booked again when it is lost again', async () => {
  const { order, dispute, read, events, compareWithLedger } = await paidOrder()
  const bankDecides = await dispute(1_000)
  await bankDecides('lost')

  await revise(order.reference, { status: 'won' })
  const won = await read()
  await revise(order.reference, { status: 'won' })
  await revise(order.reference, { status: 'lost', amount: 1_500 })

  assert.partialDeepStrictEqual(won, { amount_refunded: 0, disputes: [{ status: 'won' }] })
  assert.partialDeepStrictEqual(await read(), {
    status: 'processing',
    amount_refunded: 15,
    disputes: [{ status: 'lost', amount: 15 }],
  })
  assert.deepEqual(await compareWithLedger(), [])
  const failed = await events('order.refund_failed')
  assert.deepEqual(
    failed.map(({ data }) => data.refund.amount),
    [10],
  )
})

for (const sent of ['shipped', 'complete'] as const)
  test(`an order that was ${sent} is so again when the bank revises a lost dispute, and owes nothing`, async () => {
    const { order, token, dispute, read, patch, compareWithLedger } = await paidOrder()
    await patch(sent)
    const bankDecides = await dispute()
    await bankDecides('lost')
    const lost = await read()

    await revise(order.reference, { status: 'won' })
    const won = await read()
    const { data: owed } = await request('GET /admin/orders?refund_owed=true', { token })
    await revise(order.reference, { status: 'lost' })

    assert.partialDeepStrictEqual(lost, { status: 'refunded', amount_refunded: 25 })
    assert.partialDeepStrictEqual(won, {
      ...{ status: sent, payment_status: 'paid', amount_refunded: 0, refund_owed: false },
      disputes: [{ status: 'won' }],
    })
    assert.partialDeepStrictEqual(won.history.at(-1), { from_status: 'refunded', to_status: sent })
    assert.deepEqual(owed, [])
    assert.partialDeepStrictEqual(await read(), { status: 'refunded', amount_refunded: 25 })
    assert.deepEqual(await compareWithLedger(), [])
  })

test('an order that was not sent stays refunded when the bank revises a lost dispute, and owes the money', async () => {
  const { order, token, dispute, read } = await paidOrder()
  const bankDecides = await dispute()
  await bankDecides('lost')

  await revise(order.reference, { status: 'won' })
  const won = await read()
  const { data: owed } = await request('GET /admin/orders?refund_owed=true', { token })
  await request(`POST /admin/orders/${order.id}/refunds`, {
    ...{ token, key: randomUUID() },
    body: { amount: 25, outside_gateway: true, reason: 'By transfer' },
  })

  assert.partialDeepStrictEqual(won, { status: 'refunded', amount_refunded: 0, refund_owed: true })
  assert.partialDeepStrictEqual(owed, [{ id: order.id }])
  assert.partialDeepStrictEqual(await read(), { amount_refunded: 25, refund_owed: false })
})

test('an order that staff have refunded stays so when the bank revises a dispute, and owes what bounced', async () => {
  const { order, dispute, read, patch } = await paidOrder()
  await patch('shipped')
  await patch('refunded')
  const bankDecides = await dispute()
  await bankDecides('lost')
  const [refund] = gateway.ledger().refunds.filter(({ payment_intent }) => payment_intent === order.reference)
  const bounced = gateway.change((context) => bounceRefund(context, refund?.id ?? ''))
  await notify('refund.failed', bounced)
  assert.partialDeepStrictEqual(await read(), { status: 'refunded', amount_refunded: 25 })

  await revise(order.reference, { status: 'won' })

  assert.partialDeepStrictEqual(await read(), { status: 'refunded', amount_refunded: 0, refund_owed: true })
})

test('a lost dispute that the bank opens again holds the shipment', async () => {
  const { order, dispute, read, patch } = await paidOrder()
  const bankDecides = await dispute(1_000)
  await bankDecides('lost')

  await revise(order.reference, { status: 'under_review' })

  assert.partialDeepStrictEqual(await read(), { amount_refunded: 0, disputes: [{ closed_at: null }] })
  assert.equal((await patch('shipped')).error_code, 'order.disputed')
})

test('a lost dispute whose amount the bank changes is booked with that amount', async () => {
  const { order, dispute, read, compareWithLedger } = await paidOrder()
  const bankDecides = await dispute(1_000)
  await bankDecides('lost')

  await revise(order.reference, { amount: 700 })

  assert.partialDeepStrictEqual(await read(), { amount_refunded: 7, disputes: [{ amount: 7 }] })
  assert.deepEqual(await compareWithLedger(), [])
})

test('money outside the gateway is refused while a dispute is open, unless with override', async () => {
  const { order, token, dispute, read } = await paidOrder()
  await dispute()
  const payOutside = (more: object = {}) =>
    request(`POST /admin/orders/${order.id}/refunds`, {
      ...{ token, key: randomUUID() },
      body: { amount: 10, outside_gateway: true, reason: 'By transfer', ...more },
    })

  const refused = await payOutside()
  const before = await read()
  const overridden = await payOutside({ override: true })

  assert.deepEqual(
    { refused: refused.error_code, overridden: overridden.status },
    { refused: 'order.disputed', overridden: 201 },
  )
  assert.equal(before.amount_refunded, 0)
  assert.equal((await read()).amount_refunded, 10)
})

test('what is paid back beyond the order is shown as the excess of its refund, and in the history', async () => {
  const { order, token, dispute, read } = await paidOrder()
  await request(`POST /admin/orders/${order.id}/refunds`, {
    ...{ token, key: randomUUID() },
    body: { amount: 20, outside_gateway: true, reason: 'By transfer' },
  })
  const bankDecides = await dispute()

  await bankDecides('lost')

  const { amount_refunded, history } = await read()
  const { data } = await request(`GET /admin/orders/${order.id}/refunds`, { token })
  assert.equal(amount_refunded, 25)
  assert.partialDeepStrictEqual(data, [
    { origin: 'dispute', amount: 25, excess_amount: 20 },
    { origin: 'store', amount: 20, excess_amount: 0 },
  ])
  assert.ok(history.some(({ note }: { note: string }) => note.startsWith('20 EUR were paid back beyond')))
})

test('a list finds the orders whose last refund failed, until another one succeeds', async () => {
  const { order, token, patch, read } = await paidOrder()
  const list = async () =>
    (await request('GET /admin/orders?needs=refund', { token })).data.map(({ id }: { id: string }) => id)
  await patch('shipped')
  const refund = () =>
    request(`POST /admin/orders/${order.id}/refunds`, {
      ...{ token, key: randomUUID(), headers: { Prefer: 'respond-async' } },
      body: { amount: 10 },
    })
  await refund()
  await drainJobs()
  const before = await list()
  const made = gateway.ledger().refunds.find(({ payment_intent }) => payment_intent === order.reference)
  await notify(
    'refund.failed',
    gateway.change((context) => bounceRefund(context, made?.id ?? '')),
  )

  const bounced = await list()
  await refund()
  await drainJobs()

  assert.equal((await read()).amount_refunded, 10)
  assert.deepEqual({ before, bounced, after: await list() }, { before: [], bounced: [order.id], after: [] })
})

testBooks()
