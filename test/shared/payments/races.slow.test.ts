import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { changeOrderStatus } from '#shared/orders/lifecycle/change-order-status.ts'
import { loadOrderView } from '#shared/orders/load-order-view.ts'
import { releaseDueHold } from '#shared/orders/stock/hold.ts'
import { expireDueOrder } from '#shared/payments/close/expire-due-order.ts'
import { failPayment } from '#shared/payments/close/fail-payment.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { applyCapture } from '#shared/settlement/apply-capture.ts'
import { markOrderPaid } from '#shared/settlement/mark-order-paid.ts'
import { errorCodeOf, stockOf } from '#test/support/books/observe-orders.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { type BuiltOrder, buildOrder } from '#test/support/builders/orders.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { moveClock } from '#test/support/clock.ts'

const DAY_MS = 24 * 3600 * 1000
const TIMES = 6

const capture = (order: BuiltOrder) => (tx: StoreTx) =>
  applyCapture(tx, order.paymentId ?? '', {
    reference: `pi_${order.id}`,
    amountMinor: order.totalMinor,
    currency: order.currency,
  })

/** Lets two things happen to one order at the same moment, a few times over, and looks at it after each. */
async function race(
  rival: (order: BuiltOrder) => (tx: StoreTx) => Promise<unknown>,
  look: (seen: {
    order: Awaited<ReturnType<typeof loadOrderView>>
    stock: Awaited<ReturnType<typeof stockOf>>
    returned: number
  }) => void,
) {
  for (let i = 0; i < TIMES; i++) {
    const store: BuiltStore = await buildStore()
    const { variants } = await buildProduct(store, { variants: [{ stockOnHand: 2 }] })
    const variantId = variants[0]?.id ?? ''
    const order = await buildOrder(store, { items: [{ variantId, quantity: 2 }] })
    moveClock(DAY_MS + 1_000)

    await Promise.all([
      errorCodeOf(inStore(store.id, capture(order))),
      errorCodeOf(inStore(store.id, rival(order))),
      errorCodeOf(inStore(store.id, capture(order))),
    ])

    const returned = await inStore(store.id, (tx) =>
      tx.knex.raw("select 1 from pgboss.job where name = 'return-surplus' and data->>'storeId' = ?", [
        store.id,
      ]),
    )
    look({
      order: await inStore(store.id, (tx) => loadOrderView(tx, order.id)),
      stock: await stockOf(store, variantId),
      returned: returned.rows.length,
    })
  }
}

const isPaid = ({ order, stock, returned }: Parameters<Parameters<typeof race>[1]>[0]) => {
  assert.partialDeepStrictEqual(order, { status: 'processing', amount_captured: 25 })
  assert.deepEqual(stock, { onHand: 2, allocated: 2, held: 0 })
  assert.equal(returned, 0)
}

test('a capture concurrent with the expiry of the order is kept', () =>
  race((order) => (tx) => expireDueOrder(tx, order.id), isPaid))

test('a capture concurrent with the end of the hold is kept', () =>
  race((order) => (tx) => releaseDueHold(tx, order.id), isPaid))

test('a capture concurrent with a decline is kept', () =>
  race((order) => (tx) => failPayment(tx, order.paymentId ?? '', { status: 'failed', reason: 'x' }), isPaid))

test('a capture concurrent with a cancellation is kept, or refunded once', () =>
  race(
    (order) => (tx) => changeOrderStatus(tx, order.id, 'canceled', 'guest'),
    (seen) => {
      if (seen.order.status === 'processing') return isPaid(seen)
      assert.partialDeepStrictEqual(seen.order, { status: 'canceled', amount_captured: 0 })
      assert.deepEqual(seen.stock, { onHand: 2, allocated: 0, held: 0 })
      assert.equal(seen.returned, 1)
    },
  ))

test('a capture concurrent with mark-paid is kept or refunded once', () =>
  race(
    (order) => (tx) => markOrderPaid(tx, order.id, 'system'),
    ({ order, stock, returned }) => {
      assert.equal(order.status, 'processing')
      assert.equal(order.amount_captured, 25)
      assert.ok(returned <= 1)
      assert.deepEqual(stock, { onHand: 2, allocated: 2, held: 0 })
    },
  ))

testBooks()
