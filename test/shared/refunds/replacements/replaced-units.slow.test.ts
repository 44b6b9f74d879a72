import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertMayShip } from '#shared/disputes/assert-may-ship.ts'
import { readDisputeVersion, recordDispute } from '#shared/disputes/record-dispute.ts'
import { changeOrderStatus } from '#shared/orders/lifecycle/change-order-status.ts'
import { lockOrder } from '#shared/orders/order.ts'
import { findOrderItems } from '#shared/orders/order-item.ts'
import { countReplacedUnits } from '#shared/orders/replacements/count-replaced-units.ts'
import { createShipment } from '#shared/orders/shipments/create-shipment.ts'
import { deleteShipment } from '#shared/orders/shipments/delete-shipment.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import type { RefundRequest } from '#shared/refunds/calculate/refund-request.ts'
import { bookGatewayRefund } from '#shared/refunds/gateway/book-gateway-refund.ts'
import { refundRemainder } from '#shared/refunds/request/refund-remainder.ts'
import { requestRefund } from '#shared/refunds/request/request-refund.ts'
import { refundReturn } from '#shared/returns/lifecycle/refund-return.ts'
import { replaceReturn } from '#shared/returns/lifecycle/replace-return.ts'
import { countReturned } from '#shared/returns/request/returnable-units.ts'
import { bookVoucherEntry } from '#shared/vouchers/book-voucher-entry.ts'
import { errorCodeOf } from '#test/support/books/observe-orders.ts'
import { readOrder } from '#test/support/books/read-refunds.ts'
import { ignoreBooksOf, testBooks } from '#test/support/books/test-books.ts'
import type { CapturedOrder, GivenOrder } from '#test/support/builders/captured-order.ts'
import { requester } from '#test/support/builders/refund-requester.ts'
import { buildReceivedReturn, buildShippedOrder } from '#test/support/builders/returns.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { readVoucher } from '#test/support/builders/vouchers.ts'
import { gateway } from '#test/support/processes/gateway.ts'

/**
 * A shipped order of two units for 10.00 each, with shipping of 5.00; a return of one or more waits for its
 * replacement.
 */
async function scene(given: GivenOrder = {}, units = 1) {
  const store = await buildStore()
  const order = await buildShippedOrder(store, given)
  const rma = await buildReceivedReturn(store, order, { action: 'replacement', units: [units] })
  const replace = () => inStore(store.id, (tx) => replaceReturn(tx, rma.id, 'staff:1'))
  const refund = (request: RefundRequest) =>
    inStore(store.id, (tx) => requestRefund(tx, order.id, request, requester('staff:1')))
  const refundUnits = (
    quantity: number,
    more: { override?: boolean; reason?: string; shippingAmountMinor?: bigint } = {},
  ) => refund({ items: [{ orderItemId: order.lines[0]?.id ?? '', quantity }], ...more })
  const refundAll = () => inStore(store.id, (tx) => refundRemainder(tx, order.id, 'staff:1'))
  const replaced = async () =>
    (await inStore(store.id, (tx) => countReplacedUnits(tx, order.id))).get(order.lines[0]?.id ?? '') ?? 0
  return { store, order, replace, refund, refundUnits, refundAll, replaced }
}

const openDispute = ({ reference, totalMinor }: CapturedOrder) =>
  ({
    provider: 'stripe',
    reference: `dp_${reference}`,
    paymentReference: reference ?? '',
    status: 'needs_response',
    reason: 'fraudulent',
    amountMinor: totalMinor,
    currency: 'EUR',
    respondBy: null,
    openedAt: new Date(),
  }) as const

test('units that were replaced are not refunded', async () => {
  const { replace, refundUnits, refund, refundAll, replaced } = await scene()
  await replace()

  assert.equal(await replaced(), 1)
  const message = /refund at most 1\. Replacement orders send 1 again\..*override/
  await assert.rejects(refundUnits(2), { code: 'refund.quantity_exceeded', message })
  const refused = { code: 'refund.units_replaced', status: 422, message: /Refund at most 15 EUR\..*override/ }
  await assert.rejects(refund({ amountMinor: 1_501n }), refused)
  await assert.rejects(refundAll(), refused)
  assert.equal((await refundUnits(1, { shippingAmountMinor: 500n })).amountMinor, 1_500n)
  await assert.rejects(refund({ amountMinor: 1n }), { code: 'refund.units_replaced' })
})

test('with override and a reason replaced units are refunded', async () => {
  const { store, order, replace, refundUnits, refund } = await scene()
  await replace()

  await assert.rejects(refundUnits(2, { override: true }), { code: 'validation.failed' })
  await refundUnits(2, { override: true, reason: 'Goodwill' })
  await refund({ amountMinor: 500n, override: true, reason: 'Goodwill' })

  const { status, refundableMinor } = await readOrder(store, order.id)
  assert.deepEqual({ status, refundableMinor }, { status: 'refunded', refundableMinor: 0n })
})

for (const [paid, given] of Object.entries({ 'a card': { gateway }, 'another means': {} }))
  test(`with override a refund of replaced units to ${paid} leaves a bought voucher its value`, async () => {
    const { store, order, replace, refundUnits } = await scene({ ...given, voucherMinors: [10_000n] })
    await replace()

    await refundUnits(2, { override: true, reason: 'Goodwill' })

    const { remainingMinor } = await readVoucher(store, order.vouchers[0]?.id ?? '')
    assert.equal(remainingMinor, 10_000n)
  })

test('units that were refunded are not replaced', async () => {
  const { replace, refundUnits } = await scene()
  await refundUnits(2)

  assert.equal(await errorCodeOf(replace()), 'return.already_refunded')
})

test('units whose price was refunded as an amount are not replaced', async () => {
  const [paid, unpaid] = [await scene(), await scene()]
  await paid.refund({ amountMinor: 1_500n })
  await unpaid.refund({ amountMinor: 1_501n })

  const codes = [await errorCodeOf(paid.replace()), await errorCodeOf(unpaid.replace())]

  assert.deepEqual(codes, [null, 'return.already_refunded'])
})

test('the price of bought vouchers pays for no replacement', async () => {
  const { store, order, replace, refund } = await scene({ voucherMinors: [5_000n] })
  await refund({ amountMinor: 1_501n })

  const code = await errorCodeOf(replace())

  assert.equal(code, 'return.already_refunded')
  assert.equal((await readVoucher(store, order.vouchers[0]?.id ?? '')).remainingMinor, 5_000n)
})

test('a refund by amount withdraws from a bought voucher the part of its price that it pays, beside replaced units', async () => {
  const { store, order, replace, refund } = await scene({ voucherMinors: [5_000n] })
  const voucherId = order.vouchers[0]?.id ?? ''
  await replace()

  await refund({ amountMinor: 2_000n })
  const { remainingMinor } = await readVoucher(store, voucherId)
  ignoreBooksOf(store)
  await inStore(store.id, (tx) => bookVoucherEntry(tx, { voucherId, kind: 'reserve', amountMinor: 4_000n }))
  await assert.rejects(refund({ amountMinor: 501n }), {
    code: 'refund.units_replaced',
    message: /at most 5 EUR/,
  })

  assert.equal(remainingMinor, 4_500n)
})

test('units of a disputed order are not replaced, and their replacement does not ship', async () => {
  const [early, late] = [await scene({ gateway }), await scene({ gateway })]
  const { replacementOrderId } = await late.replace()
  for (const { store, order } of [early, late])
    await inStore(store.id, (tx) => recordDispute(tx, openDispute(order), null))

  const replacing = await errorCodeOf(early.replace())
  const replacement = await readOrder(late.store, replacementOrderId ?? '')
  const shipping = await errorCodeOf(
    inStore(late.store.id, async (tx) => assertMayShip(tx, await lockOrder(tx, replacement.id))),
  )

  assert.deepEqual({ replacing, shipping }, { replacing: 'order.disputed', shipping: 'order.disputed' })
})

test('a replacement does not ship when the gateway has paid back the price of its units', async () => {
  const [whole, part, bounced] = [
    await scene({ gateway }),
    await scene({ gateway }),
    await scene({ gateway }),
  ]
  const ship = async ({ store, order, replace }: typeof whole, amountMinor: bigint) => {
    const { replacementOrderId } = await replace()
    const made = {
      provider: 'stripe',
      reference: `re_${order.id}`,
      paymentReference: order.reference ?? '',
      amountMinor,
      currency: 'EUR',
      refundId: null,
      failureReason: null,
    }
    const book = (status: 'succeeded' | 'failed') =>
      inStore(store.id, (tx) => bookGatewayRefund(tx, { ...made, status }))
    await book('succeeded')
    const replacement = await readOrder(store, replacementOrderId ?? '')
    const shipping = () =>
      errorCodeOf(inStore(store.id, async (tx) => assertMayShip(tx, await lockOrder(tx, replacement.id))))
    return { book, shipping }
  }

  const held = await ship(whole, 2_500n)
  const free = await ship(part, 1_500n)
  const returned = await ship(bounced, 1_501n)

  assert.equal(await held.shipping(), 'order.replaced_units_refunded')
  assert.equal(await free.shipping(), null)
  assert.equal(await returned.shipping(), 'order.replaced_units_refunded')
  await returned.book('failed')
  assert.equal(await returned.shipping(), null)
})

test('a return of a disputed order is not credited until the dispute is closed', async () => {
  const { store, order } = await scene({ gateway })
  const rma = await buildReceivedReturn(store, order, { action: 'credit' })
  const within = <Result>(work: (tx: StoreTx) => Promise<Result>) => inStore(store.id, work)
  await within((tx) => recordDispute(tx, openDispute(order), null))
  const credit = () => errorCodeOf(within((tx) => refundReturn(tx, rma.id, {}, 'staff:1')))

  assert.equal(await credit(), 'order.disputed')
  const version = await within((tx) => readDisputeVersion(tx, openDispute(order).reference))
  await within((tx) => recordDispute(tx, { ...openDispute(order), status: 'won' }, version))

  assert.equal(await credit(), null)
})

for (const [what, status, code] of [
  ['is disputed', 'needs_response', 'order.disputed'],
  ['was lost in a dispute', 'lost', 'order.replaced_units_refunded'],
] as const)
  test(`units of a replacement whose money ${what} are neither replaced again nor shipped`, async () => {
    const { store, order, replace } = await scene({ gateway })
    const within = <Result>(work: (tx: StoreTx) => Promise<Result>) => inStore(store.id, work)
    const first = (await replace()).replacementOrderId ?? ''
    await within((tx) => changeOrderStatus(tx, first, 'shipped', 'staff:1'))
    const [line] = await within(async (tx) => findOrderItems(tx, first))
    const lines = [{ id: line?.id ?? '', variantId: line?.variantId ?? '', quantity: 1 }]
    const again = await buildReceivedReturn(store, { id: first, lines }, { action: 'replacement' })
    const replaceAgain = () => within((tx) => replaceReturn(tx, again.id, 'staff:1'))
    const { replacementOrderId: second } = await replaceAgain()

    await within((tx) => recordDispute(tx, { ...openDispute(order), status }, null))
    const replacement = await readOrder(store, second ?? '')
    const shipping = await errorCodeOf(
      within(async (tx) => assertMayShip(tx, await lockOrder(tx, replacement.id))),
    )
    await within((tx) => changeOrderStatus(tx, replacement.id, 'canceled', 'staff:1'))

    assert.deepEqual(
      { shipping, replacing: await errorCodeOf(replaceAgain()) },
      { shipping: code, replacing: code },
    )
  })

test('a replacement ships when staff have refunded its units with an override', async () => {
  const { store, replace, refund } = await scene({ gateway })
  const { replacementOrderId } = await replace()
  await refund({ amountMinor: 2_500n, override: true, reason: 'Goodwill', means: 'outside_gateway' })

  const replacement = await readOrder(store, replacementOrderId ?? '')

  assert.equal(
    await errorCodeOf(
      inStore(store.id, async (tx) => assertMayShip(tx, await lockOrder(tx, replacement.id))),
    ),
    null,
  )
})

test('a canceled replacement frees the units', async () => {
  const { store, replace, refundUnits, replaced } = await scene()
  const { replacementOrderId } = await replace()
  await inStore(store.id, (tx) => changeOrderStatus(tx, replacementOrderId ?? '', 'canceled', 'staff:1'))

  assert.equal(await replaced(), 0)
  assert.equal((await refundUnits(2)).amountMinor, 2_000n)
})

test('a replacement of which units are shipped is not canceled, unless its shipment is deleted', async () => {
  const { store, replace, replaced } = await scene({ lines: [{ priceMinor: 1_000n, quantity: 2 }] }, 2)
  const orderId = (await replace()).replacementOrderId ?? ''
  const within = <Result>(work: (tx: StoreTx) => Promise<Result>) => inStore(store.id, work)
  const [line] = await within(async (tx) => findOrderItems(tx, orderId))
  const items = [{ orderItemId: line?.id ?? '', quantity: 1 }]
  const { shipment } = await within((tx) =>
    createShipment(tx, orderId, { items }, 'staff:1', { assertMayShip }),
  )
  const cancel = () => errorCodeOf(within((tx) => changeOrderStatus(tx, orderId, 'canceled', 'staff:1')))

  const refused = await cancel()
  await within((tx) => deleteShipment(tx, { orderId, shipmentId: shipment.id }, 'staff:1', { countReturned }))

  assert.equal(refused, 'order.invalid_transition')
  assert.equal(await replaced(), 2)
  assert.equal(await cancel(), null)
  assert.equal(await replaced(), 0)
})

for (const [by, request] of [
  ['units', (orderItemId: string): RefundRequest => ({ items: [{ orderItemId, quantity: 2 }] })],
  ['an amount', (): RefundRequest => ({ amountMinor: 2_000n })],
] as const)
  test(`of a replacement and a concurrent refund by ${by}, one is refused`, async () => {
    for (let round = 0; round < 8; round++) {
      const { order, replace, refund } = await scene()
      const line = order.lines[0]?.id ?? ''

      const [replacing, refunding] = await Promise.all([
        errorCodeOf(replace()),
        errorCodeOf(refund(request(line))),
      ])

      if (replacing)
        assert.deepEqual({ replacing, refunding }, { replacing: 'return.already_refunded', refunding: null })
      else assert.match(refunding ?? '', /^refund\.(quantity_exceeded|units_replaced)$/)
    }
  })

testBooks()
