import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inStore } from '#shared/platform/db/store-scope.ts'
import type { RefundRequest } from '#shared/refunds/calculate/refund-request.ts'
import { requestRefund } from '#shared/refunds/request/request-refund.ts'
import { settleRefund } from '#shared/refunds/settle/settle-refund.ts'
import { replaceReturn } from '#shared/returns/lifecycle/replace-return.ts'
import { readOrder } from '#test/support/books/read-refunds.ts'
import { requester } from '#test/support/builders/refund-requester.ts'
import { buildReceivedReturn, buildShippedOrder } from '#test/support/builders/returns.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { gateway } from '#test/support/processes/gateway.ts'

/**
 * A shipped order of two units for 1.112 KWD, paid by card with 2.220; a return of one unit waits for its replacement.
 */
async function scene() {
  const store = await buildStore({ currency: 'KWD' })
  const lines = [{ priceMinor: 1_112n, quantity: 2 }]
  const order = await buildShippedOrder(store, { currency: 'KWD', gateway, lines, shippingMinor: 0n })
  const rma = await buildReceivedReturn(store, order, { action: 'replacement' })
  const refund = async (request: RefundRequest) => {
    const made = await inStore(store.id, (tx) => requestRefund(tx, order.id, request, requester('staff:1')))
    if (made.isInProgress)
      await inStore(store.id, (tx) =>
        settleRefund(tx, made.id, { status: 'succeeded', reference: `re_${made.id}`, failureReason: null }),
      )
    return made
  }
  return {
    store,
    order,
    refund,
    refundUnit: (more: Pick<RefundRequest, 'means' | 'reason'> = {}) =>
      refund({ items: [{ orderItemId: order.lines[0]?.id ?? '', quantity: 1 }], ...more }),
    replace: () => inStore(store.id, (tx) => replaceReturn(tx, rma.id, 'staff:1')),
  }
}

test('rounding prevents neither the refund nor the replacement of a unit beside a replaced one', async () => {
  const [replacedFirst, refundedFirst] = [await scene(), await scene()]

  await replacedFirst.replace()
  const refund = await replacedFirst.refundUnit()
  await refundedFirst.refundUnit()
  await refundedFirst.replace()

  assert.partialDeepStrictEqual(refund, {
    amountMinor: 1_110n,
    gatewayAmountMinor: 1_110n,
    roundingMinor: -2n,
  })
  await assert.rejects(replacedFirst.refund({ amountMinor: 1_110n }), { code: 'refund.units_replaced' })
})

for (const by of [{ means: 'credit' }, { means: 'outside_gateway' }] as const)
  test(`a refund by ${by.means} keeps to the steps, so that the gateway can refund the rest`, async () => {
    const { store, order, refund, refundUnit } = await scene()

    const first = await refundUnit({ ...by, reason: 'Goodwill' })
    await assert.rejects(refund({ amountMinor: 337n, ...by, reason: 'Goodwill' }), {
      code: 'validation.failed',
    })
    const last = await refundUnit()

    assert.partialDeepStrictEqual(first, { amountMinor: 1_110n, gatewayAmountMinor: 0n })
    assert.partialDeepStrictEqual(last, { amountMinor: 1_110n, gatewayAmountMinor: 1_110n })
    assert.equal((await readOrder(store, order.id)).refundableMinor, 0n)
  })
