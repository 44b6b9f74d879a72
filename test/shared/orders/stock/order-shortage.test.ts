import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { adjustStock } from '#shared/inventory/adjust-stock.ts'
import { findShortages } from '#shared/inventory/shortages.ts'
import { changeOrderStatus, type StatusChange } from '#shared/orders/lifecycle/change-order-status.ts'
import { findOrder, lockOrder } from '#shared/orders/order.ts'
import { releaseHeld } from '#shared/orders/stock/hold.ts'
import { findOrderShortages } from '#shared/orders/stock/order-shortage.ts'
import { failPayment } from '#shared/payments/close/fail-payment.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { errorCodeOf, stockOf } from '#test/support/books/observe-orders.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import {
  type BuiltOrder,
  buildOrder,
  buildPaidOrder,
  type GivenOrder,
} from '#test/support/builders/orders.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { pending, untilOneWaits } from '#test/support/races/overlap.ts'

/** A variant of 10 units and orders of 3 of them each. */
async function scene({ backorder = false } = {}) {
  const store = await buildStore()
  const { variants } = await buildProduct(store, { variants: [{ stockOnHand: 10, backorder }] })
  const variantId = variants[0]?.id ?? ''
  const within = <Result>(work: (tx: StoreTx) => Promise<Result>) => inStore(store.id, work)
  const count = (tx: StoreTx, stockOnHand: number) =>
    adjustStock(tx, variantId, { stockOnHand, note: 'Counted' })
  const ship = (tx: StoreTx, { id }: BuiltOrder, change?: StatusChange) =>
    changeOrderStatus(tx, id, 'shipped', 'system', change)
  return {
    store,
    variantId,
    within,
    count,
    ship,
    order: (build: typeof buildOrder = buildPaidOrder, given: Partial<GivenOrder> = {}) =>
      build(store, { items: [{ variantId, quantity: 3 }], ...given }),
    adjust: async (units: number) => (await within((tx) => count(tx, units))).ordersShort,
    shipped: (order: BuiltOrder, change?: StatusChange) =>
      errorCodeOf(within((tx) => ship(tx, order, change))),
    short: async ({ id }: BuiltOrder) =>
      (await within((tx) => findOrderShortages(tx, id))).map(({ quantity, short }) => ({ quantity, short })),
    status: async ({ id }: BuiltOrder) => (await within((tx) => findOrder(tx, id))).status,
    stock: () => stockOf(store, variantId),
  }
}

test('a count below the reserved units leaves the newest orders short, whether held or allocated', async () => {
  const { order, adjust, short } = await scene()
  const oldest = await order(buildOrder)
  const middle = await order()
  const newest = await order(buildOrder, { paymentMethod: 'cash_on_delivery' })
  assert.deepEqual(await short(newest), [])

  assert.equal(await adjust(5), 2)

  assert.deepEqual(await short(oldest), [])
  assert.deepEqual(await short(middle), [{ quantity: 3, short: 1 }])
  assert.deepEqual(await short(newest), [{ quantity: 3, short: 3 }])
  assert.equal(await adjust(9), 0)
  assert.deepEqual(await short(newest), [])
})

test('a shortage names its line', async () => {
  const { within, order, adjust, variantId } = await scene()
  const { id, items } = await order()
  await adjust(1)

  const [shortage] = await within((tx) => findOrderShortages(tx, id))

  assert.partialDeepStrictEqual(shortage, { orderItemId: items[0]?.id, variantId, quantity: 3, short: 2 })
  assert.match(`${shortage?.name} ${shortage?.sku}`, /^Product \d+ SKU-\d+$/)
})

test('an order whose card was declined is short while its hold runs', async () => {
  const { within, order, adjust, short, status } = await scene()
  const failed = await order(buildOrder)
  const { id, paymentId } = failed
  await within((tx) => failPayment(tx, paymentId ?? '', { status: 'failed', reason: 'declined' }))
  await adjust(0)

  assert.equal(await status(failed), 'failed')
  assert.deepEqual(await short(failed), [{ quantity: 3, short: 3 }])
  await within(async (tx) => releaseHeld(tx, await lockOrder(tx, id)))
  assert.deepEqual(await short(failed), [])
})

test('shipped and canceled orders are not short', async () => {
  const { within, order, adjust, short, shipped } = await scene()
  const sent = await order()
  const canceled = await order(buildOrder)
  await shipped(sent)
  await within((tx) => changeOrderStatus(tx, canceled.id, 'canceled', 'system'))

  assert.equal(await adjust(0), 0)

  assert.deepEqual([...(await short(sent)), ...(await short(canceled))], [])
})

test('an order of a variant on backorder is never short, and ships', async () => {
  const { order, adjust, short, shipped, stock } = await scene({ backorder: true })
  const paid = await order()

  assert.equal(await adjust(0), 0)
  assert.deepEqual(await short(paid), [])
  assert.equal(await shipped(paid), null)
  assert.deepEqual(await stock(), { onHand: -3, allocated: 0, held: 0 })
})

for (const to of ['shipped', 'complete'] as const)
  test(`a short order cannot become ${to}, and keeps its stock allocated`, async () => {
    const { within, order, adjust, status, stock } = await scene()
    const paid = await order()
    await adjust(2)

    const outcome = await errorCodeOf(within((tx) => changeOrderStatus(tx, paid.id, to, 'system')))

    assert.equal(outcome, 'order.stock_short')
    assert.equal(await status(paid), 'processing')
    assert.deepEqual(await stock(), { onHand: 2, allocated: 3, held: 0 })
  })

test('a newer order cannot take the units of an older one', async () => {
  const { order, adjust, shipped, stock } = await scene()
  const older = await order()
  const newer = await order()
  await adjust(3)

  assert.equal(await shipped(newer), 'order.stock_short')
  assert.equal(await shipped(older), null)
  assert.deepEqual(await stock(), { onHand: 0, allocated: 3, held: 0 })
})

test('with override a short order ships, and its history names the missing units', async () => {
  const { within, order, adjust, shipped, stock } = await scene()
  const paid = await order()
  await adjust(2)

  assert.equal(await shipped(paid, { note: 'By parcel', override: true }), null)

  assert.deepEqual(await stock(), { onHand: -1, allocated: 0, held: 0 })
  const step = await within((tx) =>
    tx.knex('order_steps').where({ order_id: paid.id, to_status: 'shipped' }).first('note'),
  )
  assert.match(step.note, /^By parcel Shipped without enough units on hand\. Product .*: 1 of 3 missing\.$/)
})

test('a count that allows backorder or restores the units lets the order ship', async () => {
  const { within, order, adjust, shipped, variantId } = await scene()
  const [first, second] = [await order(), await order()]
  await adjust(0)
  assert.equal(await shipped(first), 'order.stock_short')

  await adjust(3)
  assert.equal(await shipped(first), null)
  await within((tx) => tx.knex('product_variants').where('id', variantId).update({ backorder: true }))

  assert.equal(await shipped(second), null)
})

test('a shipment waits for a concurrent count and is refused', async () => {
  const { within, order, count, shipped, stock } = await scene()
  const paid = await order()
  const counting = await pending(within, (tx) => count(tx, 2))
  const shipping = shipped(paid)
  await untilOneWaits()

  counting.commit()

  assert.equal(await shipping, 'order.stock_short')
  await counting.done
  assert.deepEqual(await stock(), { onHand: 2, allocated: 3, held: 0 })
})

test('control: reading the shortages before the lock misses a concurrent count', async () => {
  const { within, order, count } = await scene()
  const { id } = await order()
  const counting = await pending(within, (tx) => count(tx, 2))

  const missed = await within((tx) => findShortages(tx, id))

  counting.commit()
  await counting.done
  assert.deepEqual(missed, [])
  assert.equal((await within((tx) => findShortages(tx, id))).length, 1)
})

test('concurrent shipments of two orders and units for one ship the older', async () => {
  const { order, adjust, shipped, stock } = await scene()
  const [older, newer] = [await order(), await order()]
  await adjust(3)

  const outcomes = await Promise.all([shipped(newer), shipped(older)])

  assert.deepEqual(outcomes, ['order.stock_short', null])
  assert.deepEqual(await stock(), { onHand: 0, allocated: 3, held: 0 })
})

testBooks()
