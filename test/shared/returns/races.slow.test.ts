import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { restockAtCommit } from '#shared/inventory/restock-at-commit.ts'
import { OrderItem } from '#shared/orders/order-item.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { refundReturn } from '#shared/returns/lifecycle/refund-return.ts'
import { replaceReturn } from '#shared/returns/lifecycle/replace-return.ts'
import { restockReturn } from '#shared/returns/lifecycle/restock-return.ts'
import { requestReturn } from '#shared/returns/request/request-return.ts'
import { countReturned } from '#shared/returns/request/returnable-units.ts'
import { Return } from '#shared/returns/return.ts'
import { ReturnItem } from '#shared/returns/return-item.ts'
import { Voucher } from '#shared/vouchers/voucher.ts'
import { errorCodeOf, stockOf } from '#test/support/books/observe-orders.ts'
import { readOrder, readRefunds } from '#test/support/books/read-refunds.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildReceivedReturn, buildShippedOrder } from '#test/support/builders/returns.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { barrier } from '#test/support/races/barrier.ts'

const AT_ONCE = 50

async function scene(quantity: number) {
  const store = await buildStore()
  const order = await buildShippedOrder(store, { lines: [{ priceMinor: 1_000n, quantity }] })
  const [line] = order.lines
  const returned = async () =>
    (await inStore(store.id, (tx) => countReturned(tx, order.id))).get(line?.id ?? '') ?? 0
  return { store, order, orderItemId: line?.id ?? '', variantId: line?.variantId ?? '', returned }
}

/** The error code of each concurrent call; null for a success. */
const race = (work: (index: number) => PromiseLike<unknown>, times = AT_ONCE) =>
  Promise.all(Array.from({ length: times }, (_, index) => errorCodeOf(work(index))))

const tally = (codes: (string | null)[]) =>
  Object.fromEntries([...Map.groupBy(codes, String)].map(([code, all]) => [code, all.length]))

const item = (orderItemId: string) => ({
  orderItemId,
  quantity: 1,
  reason: 'unwanted' as const,
  condition: null,
  note: null,
})

test('50 concurrent requests for the last 7 units create 7 returns', async () => {
  const { store, order, orderItemId, returned } = await scene(7)
  const asked = { action: 'refund' as const, comment: null, items: [item(orderItemId)] }

  const codes = await race(() => inStore(store.id, (tx) => requestReturn(tx, order.id, asked, 'system')))

  assert.deepEqual(tally(codes), { null: 7, 'return.quantity_exceeded': 43 })
  assert.equal(await returned(), 7)
})

test('control: counting before the lock returns the last unit twice', async () => {
  const { store, order, orderItemId, returned } = await scene(1)
  const meet = barrier(2)

  const naive = () =>
    inStore(store.id, async (tx) => {
      const units = (await countReturned(tx, order.id)).get(orderItemId) ?? 0
      await meet()
      if (units < 1) await write(tx, order.id, orderItemId)
    })
  await Promise.all([naive(), naive()])

  assert.equal(await returned(), 2, 'of one that was ordered')
})

async function write(tx: StoreTx, orderId: string, orderItemId: string): Promise<void> {
  const at = now()
  const { id: returnId } = await Return.in(tx).insert({
    number: newId(),
    orderId,
    status: 'requested',
    action: 'refund',
    requestedBy: 'system',
    createdAt: at,
    updatedAt: at,
  })
  await ReturnItem.in(tx).insert({ ...item(orderItemId), returnId, position: 0 })
}

test('50 concurrent refunds of one return refund the money once', async () => {
  const { store, order } = await scene(4)
  const { id } = await buildReceivedReturn(store, order, { units: [2] })

  const codes = await race(() => inStore(store.id, (tx) => refundReturn(tx, id, {}, 'staff:1')))

  assert.deepEqual(tally(codes), { null: 1, 'return.already_refunded': 49 })
  assert.deepEqual(
    (await readRefunds(store, order.id)).map(({ amountMinor }) => amountMinor),
    [2_000n],
  )
  assert.equal((await readOrder(store, order.id)).amountRefundedMinor, 2_000n)
})

test('50 concurrent credits of one return issue one voucher', async () => {
  const { store, order } = await scene(4)
  const { id } = await buildReceivedReturn(store, order, { units: [2], action: 'credit' })

  const codes = await race(() => inStore(store.id, (tx) => refundReturn(tx, id, {}, 'staff:1')))

  assert.deepEqual(tally(codes), { null: 1, 'return.already_refunded': 49 })
  const vouchers = await inStore(store.id, (tx) => Voucher.in(tx).where('order_id', order.id))
  assert.deepEqual(
    vouchers.map(({ amountMinor }) => amountMinor),
    [2_000n],
  )
})

test('50 concurrent replacements of one return place one order', async () => {
  const { store, order, variantId } = await scene(4)
  const { id } = await buildReceivedReturn(store, order, { units: [2], action: 'replacement' })

  const codes = await race(() => inStore(store.id, (tx) => replaceReturn(tx, id, 'staff:1')))

  assert.deepEqual(tally(codes), { null: 1, 'return.already_replaced': 49 })
  assert.equal((await stockOf(store, variantId)).allocated, 2)
})

test('50 concurrent restocks of one return restock the units once', async () => {
  const { store, order, variantId } = await scene(4)
  const before = await stockOf(store, variantId)
  const { id } = await buildReceivedReturn(store, order, { units: [3] })

  const codes = await race(() => inStore(store.id, (tx) => restockReturn(tx, id, 'staff:1')))

  assert.deepEqual(tally(codes), { null: 1, 'return.nothing_to_restock': 49 })
  assert.equal((await stockOf(store, variantId)).onHand, before.onHand + 3)
  const movements = await inStore(store.id, (tx) =>
    tx.knex('stock_movements').where({ variant_id: variantId, reason: 'return' }),
  )
  assert.deepEqual(
    movements.map(({ delta, reference }) => ({ delta, reference })),
    [{ delta: 3, reference: order.id }],
  )
})

test('control: checking before the lock restocks the units twice', async () => {
  const { store, order, variantId } = await scene(4)
  const before = await stockOf(store, variantId)
  const { id } = await buildReceivedReturn(store, order, { units: [1] })
  const meet = barrier(2)

  const naive = () =>
    inStore(store.id, async (tx) => {
      const { restockedAt } = await Return.in(tx).findById(id).throwIfNotFound()
      await meet()
      if (restockedAt) return
      await restockAtCommit(tx, order.id, [{ variantId, quantity: 1 }])
      await Return.in(tx).findById(id).patch({ restockedAt: now() })
    })
  await Promise.all([naive(), naive()])

  assert.equal((await stockOf(store, variantId)).onHand, before.onHand + 2, 'of one that came back')
})

test('concurrent requests, refunds and restocks of one order do not deadlock', async () => {
  const { store, order, orderItemId } = await scene(10)
  const { id } = await buildReceivedReturn(store, order, { units: [2] })
  const asked = { action: 'none' as const, comment: null, items: [item(orderItemId)] }

  const steps: ((tx: StoreTx) => Promise<unknown>)[] = [
    (tx: StoreTx) => requestReturn(tx, order.id, asked, 'system'),
    (tx: StoreTx) => refundReturn(tx, id, {}, 'system'),
    (tx: StoreTx) => restockReturn(tx, id, 'system'),
  ]
  const codes = await race((index) => inStore(store.id, (tx) => steps[index % 3]?.(tx) ?? assert.fail()), 30)

  assert.equal(codes.filter((code) => code === null).length, 8 + 1 + 1)
  const [line] = await inStore(store.id, (tx) => OrderItem.in(tx).where('order_id', order.id))
  assert.equal(line?.refundedQuantity, 2)
})

testBooks()
