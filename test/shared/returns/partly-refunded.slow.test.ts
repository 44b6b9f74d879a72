import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import type { RefundRequest } from '#shared/refunds/calculate/refund-request.ts'
import { requestRefund } from '#shared/refunds/request/request-refund.ts'
import { refundReturn } from '#shared/returns/lifecycle/refund-return.ts'
import { replaceReturn } from '#shared/returns/lifecycle/replace-return.ts'
import { settleReturnsOfRefund } from '#shared/returns/lifecycle/settle-returns-of-refund.ts'
import { Return } from '#shared/returns/return.ts'
import type { ReturnAction } from '#shared/returns/states.ts'
import { Voucher } from '#shared/vouchers/voucher.ts'
import { errorCodeOf } from '#test/support/books/observe-orders.ts'
import { readOrder } from '#test/support/books/read-refunds.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { requester } from '#test/support/builders/refund-requester.ts'
import { buildReceivedReturn, buildShippedOrder } from '#test/support/builders/returns.ts'
import { buildStore } from '#test/support/builders/store.ts'

const REFUSED = { code: 'return.already_refunded', status: 409 }

/** A shipped order of three units for 10.00 each, without shipping costs. */
async function scene() {
  const store = await buildStore()
  const order = await buildShippedOrder(store, {
    lines: [{ priceMinor: 1_000n, quantity: 3 }],
    shippingMinor: 0n,
  })
  const refund = (request: RefundRequest) =>
    inStore(store.id, (tx) => requestRefund(tx, order.id, request, requester('staff:1')))
  const refundUnits = (quantity: number) =>
    refund({ items: [{ orderItemId: order.lines[0]?.id ?? '', quantity }] })
  const receive = async (units = 3, action: ReturnAction = 'refund') => {
    const { id } = await buildReceivedReturn(store, order, {
      units: [units],
      action,
      disposition: 'not_restocked',
    })
    const pay = () => inStore(store.id, (tx) => refundReturn(tx, id, {}, 'staff:1'))
    const replace = () => inStore(store.id, (tx) => replaceReturn(tx, id, 'staff:1'))
    const status = async () =>
      (await inStore(store.id, (tx) => Return.in(tx).findById(id).throwIfNotFound())).status
    return { pay, replace, status }
  }
  const complete = (refundId: string) => inStore(store.id, (tx) => settleReturnsOfRefund(tx, refundId))
  return { store, order, refund, refundUnits, receive, complete }
}

test('a return of three units, of which one was refunded, refunds two', async () => {
  const { store, order, refundUnits, receive } = await scene()
  await refundUnits(1)
  const { pay, status } = await receive()

  const { amountMinor } = await pay()

  assert.deepEqual({ amountMinor, status: await status() }, { amountMinor: 2_000n, status: 'completed' })
  assert.equal((await readOrder(store, order.id)).status, 'refunded')
})

test('a credit of three units, of which one was refunded, is for two', async () => {
  const { store, order, refundUnits, receive } = await scene()
  await refundUnits(1)
  const { pay, status } = await receive(3, 'credit')

  await pay()

  const vouchers = await inStore(store.id, (tx) => Voucher.in(tx).where('order_id', order.id))
  assert.deepEqual(
    vouchers.map(({ amountMinor }) => amountMinor),
    [2_000n],
  )
  assert.equal(await status(), 'completed')
})

for (const action of ['refund', 'credit'] as const)
  test(`a return with the action ${action} whose units were refunded is completed when it is received`, async () => {
    const { store, order, refundUnits, receive } = await scene()
    await refundUnits(3)

    const { pay, status } = await receive(3, action)

    assert.equal(await status(), 'completed')
    await assert.rejects(pay(), REFUSED)
    assert.equal((await readOrder(store, order.id)).amountRefundedMinor, 3_000n)
  })

test('a received return is completed when another refund pays its units', async () => {
  const { refundUnits, receive, complete } = await scene()
  const { pay, status } = await receive(2)
  await complete((await refundUnits(1)).id)
  const before = await status()

  const { id } = await refundUnits(2)
  const code = await errorCodeOf(pay())
  await complete(id)

  assert.deepEqual(
    { before, code, after: await status() },
    { before: 'received', code: 'return.already_refunded', after: 'completed' },
  )
})

test('a return whose price was refunded as an amount is settled', async () => {
  const { refund, receive } = await scene()
  await refund({ amountMinor: 3_000n })

  const { pay, status } = await receive(1)

  await assert.rejects(pay(), REFUSED)
  assert.equal(await status(), 'completed')
})

test('replaced units of a line are not refunded by another return of it', async () => {
  const { receive } = await scene()
  const replacement = await receive(2, 'replacement')
  const refund = await receive(1)
  await replacement.replace()

  const { amountMinor } = await refund.pay()

  assert.equal(amountMinor, 1_000n)
})

test('concurrent refunds of a unit and of its return refund each unit once', async () => {
  for (let round = 0; round < 8; round++) {
    const { store, order, refundUnits, receive } = await scene()
    const { pay } = await receive()

    const codes = await Promise.all([errorCodeOf(pay()), errorCodeOf(refundUnits(1))])

    assert.ok(
      codes[0] === null && [null, 'refund.quantity_exceeded'].includes(codes[1] ?? null),
      codes.join(),
    )
    assert.equal((await readOrder(store, order.id)).amountRefundedMinor, 3_000n)
  }
})

testBooks()
