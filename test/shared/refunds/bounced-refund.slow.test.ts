import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listOrders } from '#shared/orders/list-orders.ts'
import { lockOrder, Order } from '#shared/orders/order.ts'
import { findOrderItems } from '#shared/orders/order-item.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import type { RefundRequest } from '#shared/refunds/calculate/refund-request.ts'
import { refundRemainder } from '#shared/refunds/request/refund-remainder.ts'
import { requestRefund } from '#shared/refunds/request/request-refund.ts'
import { type RefundOutcome, settleRefund } from '#shared/refunds/settle/settle-refund.ts'
import { errorCodeOf } from '#test/support/books/observe-orders.ts'
import { readOrder, readRefunds } from '#test/support/books/read-refunds.ts'
import { ignoreBooksOf, testBooks } from '#test/support/books/test-books.ts'
import { buildCapturedOrder, type GivenOrder } from '#test/support/builders/captured-order.ts'
import { requester } from '#test/support/builders/refund-requester.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { readVoucher } from '#test/support/builders/vouchers.ts'
import { gateway } from '#test/support/processes/gateway.ts'

/** An order for 25.00 whose full refund the bank of the buyer returned. */
async function scene(given: GivenOrder = {}) {
  const store = await buildStore()
  const order = await buildCapturedOrder(store, { gateway, ...given })
  const refundAll = () => inStore(store.id, (tx) => refundRemainder(tx, order.id, 'staff:1'))
  const refund = (request: RefundRequest) =>
    inStore(store.id, (tx) => requestRefund(tx, order.id, request, requester('staff:1')))
  const settle = (refundId: string, status: RefundOutcome['status']) =>
    inStore(store.id, (tx) =>
      settleRefund(tx, refundId, { status, reference: `re_${refundId}`, failureReason: null }),
    )
  const read = async () => {
    const { status, paymentStatus, isRefundOwed, amountRefundedMinor } = await readOrder(store, order.id)
    return { status, paymentStatus, isRefundOwed, amountRefundedMinor }
  }
  const owed = async (refund_owed: boolean) => {
    const { results } = await inStore(store.id, (tx) =>
      listOrders(tx, { page: 1, page_size: 9, refund_owed }),
    )
    return results.map(({ id }) => id)
  }
  const bounced = (await refundAll())?.id ?? assert.fail()
  await settle(bounced, 'succeeded')
  await settle(bounced, 'failed')
  return { store, order, refundAll, refund, settle, read, owed }
}

test('an order whose refund bounced owes the refund', async () => {
  const { order, read, owed } = await scene()

  assert.deepEqual(await read(), {
    status: 'refunded',
    paymentStatus: 'paid',
    isRefundOwed: true,
    amountRefundedMinor: 0n,
  })
  assert.deepEqual(await owed(true), [order.id])
  assert.deepEqual(await owed(false), [])
})

test('status refunded starts a bounced refund again', async () => {
  const { refundAll, settle, read, owed } = await scene()

  const again = await refundAll()
  await settle(again?.id ?? '', 'succeeded')

  assert.partialDeepStrictEqual(await read(), { paymentStatus: 'refunded', isRefundOwed: false })
  assert.deepEqual(await owed(true), [])
})

for (const { totalMinor, fails } of [
  { totalMinor: 998n, fails: 0 },
  { totalMinor: 998n, fails: 1 },
  { totalMinor: 997n, fails: 0 },
  { totalMinor: 997n, fails: 1 },
])
  test(`of three units for ${totalMinor} one is refunded again after its refund ${fails + 1} failed: all add up`, async () => {
    const store = await buildStore()
    const lines = [{ priceMinor: 333n, quantity: 3 }]
    const order = await buildCapturedOrder(store, {
      lines,
      discountMinor: 999n - totalMinor,
      shippingMinor: 0n,
    })
    const items = [{ orderItemId: order.lines[0]?.id ?? '', quantity: 1 }]
    const refundUnit = () =>
      inStore(store.id, (tx) =>
        requestRefund(tx, order.id, { items, reason: 'Damaged' }, requester('staff:1')),
      )
    const made = [await refundUnit(), await refundUnit()]
    await inStore(store.id, (tx) =>
      settleRefund(tx, made[fails]?.id ?? '', { status: 'failed', reference: null, failureReason: null }),
    )

    await refundUnit()
    await refundUnit()

    const { status, amountRefundedMinor } = await readOrder(store, order.id)
    assert.deepEqual({ status, amountRefundedMinor }, { status: 'refunded', amountRefundedMinor: totalMinor })
  })

test('a refund outside the gateway is settled immediately without the gateway', async () => {
  const { store, order, refund, read, owed } = await scene({ voucherMinors: [5_000n] })

  await assert.rejects(refund({ amountMinor: 7_500n, means: 'outside_gateway' }), {
    code: 'validation.failed',
  })
  await refund({ amountMinor: 7_500n, means: 'outside_gateway', reason: 'By transfer' })

  const [, recorded] = await readRefunds(store, order.id)
  assert.partialDeepStrictEqual(recorded, {
    status: 'succeeded',
    paymentId: null,
    gatewayAmountMinor: 0n,
    amountMinor: 7_500n,
    reason: 'By transfer',
  })
  assert.deepEqual(await read(), {
    status: 'refunded',
    paymentStatus: 'refunded',
    isRefundOwed: false,
    amountRefundedMinor: 7_500n,
  })
  assert.deepEqual(await owed(true), [])
  assert.equal((await readVoucher(store, order.vouchers[0]?.id ?? '')).remainingMinor, 0n)
})

test('of concurrent refunds outside and at the gateway, one is refused', async () => {
  for (let round = 0; round < 8; round++) {
    const { refund, refundAll, read } = await scene()

    const [outside, atGateway] = await Promise.all([
      errorCodeOf(refund({ amountMinor: 2_500n, means: 'outside_gateway', reason: 'By transfer' })),
      errorCodeOf(refundAll()),
    ])

    // After the refund outside the gateway there is nothing left to send.
    const { amountRefundedMinor } = await read()
    assert.equal(atGateway, null)
    if (outside) assert.equal(outside, 'refund.in_progress')
    assert.equal(amountRefundedMinor, outside ? 0n : 2_500n)
  }
})

test('after a refund outside the gateway the gateway refunds the rest', async () => {
  const { refund, refundAll } = await scene()
  await refund({ amountMinor: 1_000n, means: 'outside_gateway', reason: 'By transfer' })

  const rest = await refundAll()

  assert.partialDeepStrictEqual(rest, { amountMinor: 1_500n, gatewayAmountMinor: 1_500n })
})

test('a bounced refund that was all excess makes its units unrefunded again', async () => {
  const { store, order, refund, settle } = await scene()
  ignoreBooksOf(store)
  const items = [{ orderItemId: order.lines[0]?.id ?? '', quantity: 1 }]
  const { id } = await refund({ items })
  await inStore(store.id, async (tx) => {
    const { amountCapturedMinor } = await lockOrder(tx, order.id)
    await Order.in(tx).findById(order.id).patch({ amountRefundedMinor: amountCapturedMinor })
  })
  const refundedUnits = async () => {
    const [line] = await inStore(store.id, (tx) => findOrderItems(tx, order.id))
    return line?.refundedQuantity
  }

  await settle(id, 'succeeded')
  const before = await refundedUnits()
  await settle(id, 'failed')

  assert.deepEqual({ before, after: await refundedUnits() }, { before: 1, after: 0 })
})

testBooks()
