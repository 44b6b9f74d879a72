import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertMayShip } from '#shared/disputes/assert-may-ship.ts'
import { mailNewAddress } from '#shared/order-mails/mail-new-address.ts'
import { changeOrderStatus } from '#shared/orders/lifecycle/change-order-status.ts'
import type { OrderStatus } from '#shared/orders/states.ts'
import { updateOrder } from '#shared/orders/update/update-order.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { refundRemainder } from '#shared/refunds/request/refund-remainder.ts'
import { requestRefund } from '#shared/refunds/request/request-refund.ts'
import { settleRefund } from '#shared/refunds/settle/settle-refund.ts'
import { RIGHTS } from '#shared/staff/rights.ts'
import { errorCodeOf, stockOf } from '#test/support/books/observe-orders.ts'
import { readOrder, readRefunds } from '#test/support/books/read-refunds.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildCapturedOrder } from '#test/support/builders/captured-order.ts'
import { requester } from '#test/support/builders/refund-requester.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { pending, untilOneWaits } from '#test/support/races/overlap.ts'

const SUCCESS = { status: 'succeeded', reference: null, failureReason: null } as const

const within = (store: { id: string }) => (work: (tx: StoreTx) => Promise<void>) => inStore(store.id, work)

/** A paid order of three units; stock counts 100. */
async function scene() {
  const store = await buildStore()
  const order = await buildCapturedOrder(store, { gateway, lines: [{ priceMinor: 1_000n, quantity: 3 }] })
  const [line = assert.fail()] = order.lines
  const items = [{ orderItemId: line.id, quantity: 1 }]
  const asked = (tx: StoreTx, restock = true) =>
    requestRefund(tx, order.id, { items, restock }, requester('staff:1'))
  const refund = (restock?: boolean) => inStore(store.id, (tx) => asked(tx, restock))
  const options = {
    staff: { name: 'staff:1', rights: RIGHTS },
    ifMatch: undefined,
    refunds: { refundRemainder },
    shipping: { assertMayShip },
    mails: { mailNewAddress },
  } as const
  const update = (status: OrderStatus) =>
    inStore(store.id, (tx) => updateOrder(tx, order.id, { status }, options))
  const settle = async () => {
    for (const { id } of await readRefunds(store, order.id))
      await inStore(store.id, (tx) => settleRefund(tx, id, SUCCESS))
  }
  return { store, order, asked, refund, update, settle, stock: () => stockOf(store, line.variantId) }
}

test('an order does not ship while a refund that restocks its units is in progress', async () => {
  const { refund, update, settle, stock } = await scene()
  await refund()

  const codes = [await errorCodeOf(update('shipped')), await errorCodeOf(update('complete'))]
  await settle()
  const after = await errorCodeOf(update('shipped'))

  assert.deepEqual({ codes, after }, { codes: Array(2).fill('refund.in_progress'), after: null })
  assert.deepEqual(await stock(), { onHand: 98, allocated: 0, held: 0 })
})

test('a refund of an amount, or of a shipped order, does not hold the order', async () => {
  const unshipped = await scene()
  await inStore(unshipped.store.id, (tx) =>
    requestRefund(tx, unshipped.order.id, { amountMinor: 100n }, requester('staff:1')),
  )
  const shipped = await scene()
  await shipped.update('shipped')
  await shipped.refund()

  await unshipped.update('shipped')
  await shipped.update('complete')

  assert.equal((await readOrder(shipped.store, shipped.order.id)).status, 'complete')
})

test('an order does not ship while a refund of its units without restock is in progress', async () => {
  const { refund, update, settle, stock } = await scene()
  await refund(false)

  const code = await errorCodeOf(update('shipped'))
  await settle()
  await update('shipped')

  assert.equal(code, 'refund.in_progress')
  assert.deepEqual(await stock(), { onHand: 97, allocated: 0, held: 0 }, 'the unit is written off')
})

test('a shipment that waits for a refund with restock is refused', async () => {
  const { store, asked, update, settle, stock } = await scene()
  const refund = await pending(within(store), asked)

  const shipping = errorCodeOf(update('shipped'))
  await untilOneWaits()
  refund.commit()
  await refund.done
  const code = await shipping
  await settle()

  assert.equal(code, 'refund.in_progress')
  assert.deepEqual(await stock(), { onHand: 100, allocated: 2, held: 0 })
})

test('control: a shipment during the refund is counted as back in stock', async () => {
  const { store, order, refund, settle, stock } = await scene()
  await refund()

  await inStore(store.id, (tx) => changeOrderStatus(tx, order.id, 'shipped', 'staff:1'))
  await settle()

  assert.deepEqual(await stock(), { onHand: 98, allocated: 0, held: 0 }, 'of 97 that are there')
})

test('units that a bounced refund has restocked are not restocked again by the next refund', async () => {
  const { store, order, refund, update, settle, stock } = await scene()
  await refund()
  await settle()
  const [bounced] = await readRefunds(store, order.id)
  await inStore(store.id, (tx) => settleRefund(tx, bounced?.id ?? '', { ...SUCCESS, status: 'failed' }))

  await refund()
  await settle()
  const refunded = await stock()
  await update('shipped')

  assert.deepEqual(refunded, { onHand: 100, allocated: 2, held: 0 })
  assert.deepEqual(await stock(), { onHand: 98, allocated: 0, held: 0 })
})

test('a refund of shipped units that a bank returns and that is made again restocks them once', async () => {
  const { store, order, refund, update, settle, stock } = await scene()
  await update('shipped')
  const bounce = async () => {
    for (const { id, status } of await readRefunds(store, order.id))
      if (status === 'succeeded')
        await inStore(store.id, (tx) => settleRefund(tx, id, { ...SUCCESS, status: 'failed' }))
  }
  const seen: number[] = []
  for (const returned of [true, true, false]) {
    await refund()
    await settle()
    seen.push((await stock()).onHand)
    if (returned) await bounce()
  }
  // Another unit than the one that came back.
  await refund()
  await settle()

  assert.deepEqual({ seen, another: (await stock()).onHand }, { seen: [98, 98, 98], another: 99 })
})

testBooks()
