import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ignoreBooksOf, testBooks } from '#test/support/books/test-books.ts'
import '#test/support/database.ts'
import { Coupon } from '#shared/coupons/coupon.ts'
import { cancelOrder } from '#shared/orders/lifecycle/cancel-order.ts'
import { changeOrderStatus, type StatusChange } from '#shared/orders/lifecycle/change-order-status.ts'
import { loadOrderView } from '#shared/orders/load-order-view.ts'
import { Order } from '#shared/orders/order.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { markOrderPaid } from '#shared/settlement/mark-order-paid.ts'
import { errorCodeOf, stockOf } from '#test/support/books/observe-orders.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildCoupon } from '#test/support/builders/coupons.ts'
import { buildOrder, buildPaidOrder } from '#test/support/builders/orders.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildVoucher, ledgerOf, readVoucher } from '#test/support/builders/vouchers.ts'
import { pending, untilOneWaits } from '#test/support/races/overlap.ts'

/** A shipped order of 3 of 10 units, to pay on delivery, of which a voucher pays 5.00 and to which a coupon applies. */
async function scene() {
  const store = await buildStore()
  const { variants } = await buildProduct(store, { variants: [{ stockOnHand: 10 }] })
  const variantId = variants[0]?.id ?? ''
  const voucher = await buildVoucher(store, { amountMinor: 500n })
  const coupon = await buildCoupon(store)
  const order = await buildOrder(store, {
    items: [{ variantId, quantity: 3 }],
    paymentMethod: 'cash_on_delivery',
    voucherCode: voucher.code,
    couponCode: coupon.code,
  })
  const within = <Result>(work: (tx: StoreTx) => Promise<Result>) => inStore(store.id, work)
  await within((tx) => changeOrderStatus(tx, order.id, 'shipped', 'system'))
  return {
    store,
    order,
    within,
    cancel: (tx: StoreTx, change?: StatusChange) =>
      changeOrderStatus(tx, order.id, 'canceled', 'system', change),
    pay: (tx: StoreTx) => markOrderPaid(tx, order.id, 'system'),
    view: () => within((tx) => loadOrderView(tx, order.id)),
    stock: () => stockOf(store, variantId),
    couponUses: () => within(async (tx) => (await Coupon.in(tx).findById(coupon.id))?.usesCount),
    voucher: () => readVoucher(store, voucher.id),
    ledger: () => ledgerOf(store, voucher.id),
    movements: () =>
      within((tx) =>
        tx.knex('stock_movements').where('reference', order.id).orderBy('id').select('delta', 'reason'),
      ),
  }
}

const GONE = [{ delta: -3, reason: 'shipment' }]

test('canceling an order that was refused on delivery releases its voucher and coupon; its goods stay gone', async () => {
  const { within, cancel, view, stock, couponUses, voucher, ledger, movements } = await scene()
  assert.equal((await voucher()).reservedMinor, 500n)

  await within((tx) => cancel(tx))

  assert.equal((await view()).status, 'canceled')
  assert.equal((await voucher()).remainingMinor, 500n)
  assert.deepEqual(await ledger(), ['issue 500', 'reserve 500', 'release 500'])
  assert.equal(await couponUses(), 0)
  assert.deepEqual(await stock(), { onHand: 7, allocated: 0, held: 0 })
  assert.deepEqual(await movements(), GONE)
})

test('goods that came back are on hand again, with a movement', async () => {
  const { within, cancel, stock, movements } = await scene()

  await within((tx) => cancel(tx, { restock: true }))

  assert.deepEqual(await stock(), { onHand: 10, allocated: 0, held: 0 })
  assert.deepEqual(await movements(), [...GONE, { delta: 3, reason: 'return' }])
})

test('restocking an order that did not ship releases its units without a movement', async () => {
  const store = await buildStore()
  const { variants } = await buildProduct(store, { variants: [{ stockOnHand: 10 }] })
  const items = [{ variantId: variants[0]?.id ?? '', quantity: 3 }]
  const { id } = await buildOrder(store, { items, paymentMethod: 'cash_on_delivery' })

  await inStore(store.id, (tx) => changeOrderStatus(tx, id, 'canceled', 'system', { restock: true }))

  assert.deepEqual(await stockOf(store, items[0]?.variantId ?? ''), { onHand: 10, allocated: 0, held: 0 })
})

test('a shipped order that was paid throws order.refund_required, also when the money was paid back', async () => {
  const store = await buildStore()
  const { id } = await buildPaidOrder(store)
  const cancel = () => errorCodeOf(inStore(store.id, (tx) => changeOrderStatus(tx, id, 'canceled', 'system')))
  await inStore(store.id, (tx) => changeOrderStatus(tx, id, 'shipped', 'system'))

  assert.equal(await cancel(), 'order.refund_required')
  ignoreBooksOf(store)
  await inStore(store.id, async (tx) => {
    const { amountCapturedMinor } = await Order.in(tx).findById(id).throwIfNotFound()
    await Order.in(tx).findById(id).patch({ amountRefundedMinor: amountCapturedMinor })
  })
  assert.equal(await cancel(), 'order.refund_required')
})

test('a shipped order without a total throws order.invalid_transition', async () => {
  const { store, within, order, cancel } = await scene()
  ignoreBooksOf(store)
  // A free order, as the replacement of a return is.
  const free = { subtotalMinor: 0n, discountMinor: 0n, shippingMinor: 0n, shippingTaxMinor: 0n, taxMinor: 0n }
  await within(async (tx) =>
    Order.in(tx)
      .findById(order.id)
      .patch({ ...free, totalMinor: 0n, voucherMinor: 0n }),
  )

  assert.equal(await errorCodeOf(within((tx) => cancel(tx))), 'order.invalid_transition')
})

test('a buyer cannot cancel a shipped order', async () => {
  const { within, order, view } = await scene()
  const buyer = { customerId: null, accessToken: order.accessToken }

  assert.equal(
    await errorCodeOf(within((tx) => cancelOrder(tx, order.id, buyer))),
    'order.invalid_transition',
  )
  assert.equal((await view()).status, 'shipped')
})

test('a completed order that nobody paid is canceled like a shipped one', async () => {
  const { within, order, cancel, view, stock, couponUses, ledger } = await scene()
  await within((tx) => changeOrderStatus(tx, order.id, 'complete', 'system'))

  await within((tx) => cancel(tx, { restock: true }))

  assert.equal((await view()).status, 'canceled')
  assert.deepEqual(await ledger(), ['issue 500', 'reserve 500', 'release 500'])
  assert.equal(await couponUses(), 0)
  assert.deepEqual(await stock(), { onHand: 10, allocated: 0, held: 0 })
})

test('mark-paid waits for a concurrent cancellation and throws order.not_payable; the voucher is released once', async () => {
  const { within, cancel, pay, view, ledger } = await scene()
  const canceling = await pending(within, (tx) => cancel(tx, { restock: true }))
  const paying = errorCodeOf(within(pay))
  await untilOneWaits()

  canceling.commit()

  assert.equal(await paying, 'order.not_payable')
  await canceling.done
  assert.partialDeepStrictEqual(await view(), { status: 'canceled', amount_captured: 0 })
  assert.deepEqual(await ledger(), ['issue 500', 'reserve 500', 'release 500'])
})

test('a cancellation waits for a concurrent mark-paid and throws order.refund_required; the voucher is captured once', async () => {
  const { within, cancel, pay, view, ledger, stock } = await scene()
  const paying = await pending(within, pay)
  const canceling = errorCodeOf(within((tx) => cancel(tx, { restock: true })))
  await untilOneWaits()

  paying.commit()

  assert.equal(await canceling, 'order.refund_required')
  await paying.done
  assert.partialDeepStrictEqual(await view(), { status: 'shipped', payment_status: 'paid' })
  assert.deepEqual(await ledger(), ['issue 500', 'reserve 500', 'capture 500'])
  assert.equal((await stock()).onHand, 7)
})

test('of two concurrent cancellations with restock, one restocks', async () => {
  const { within, cancel, stock } = await scene()
  const attempt = () => errorCodeOf(within((tx) => cancel(tx, { restock: true })))

  const outcomes = await Promise.all([attempt(), attempt()])

  assert.deepEqual(outcomes.sort(), [null, 'order.invalid_transition'].sort())
  assert.equal((await stock()).onHand, 10)
})

testBooks()
