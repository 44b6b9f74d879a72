import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { lockOrder } from '#shared/orders/order.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { calculateRefund } from '#shared/refunds/calculate/calculate-refund.ts'
import type { RefundRequest } from '#shared/refunds/calculate/refund-request.ts'
import { addRefundInProgress, type RefundableOrder } from '#shared/refunds/calculate/refundable-order.ts'
import { bookGatewayRefund } from '#shared/refunds/gateway/book-gateway-refund.ts'
import { loadRefundableOrder } from '#shared/refunds/refundable/load-refundable-order.ts'
import { insertRefund } from '#shared/refunds/request/insert-refund.ts'
import { planRefund } from '#shared/refunds/request/plan-refund.ts'
import { buildCapturedOrder } from '#test/support/builders/captured-order.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { gateway } from '#test/support/processes/gateway.ts'

/** What `withdrawVouchers` reads, besides the vouchers. The ids of the refunds in progress replace them. */
const limitsOf = ({ vouchers: _, inProgress, ...limits }: RefundableOrder) => ({
  ...limits,
  inProgress: inProgress.map(({ id }) => id).sort(),
})

/** Goods for 20.00, shipping of 5.00 and a gift voucher of 100.00. */
const buildOrder = async () => {
  const store = await buildStore()
  return { store, order: await buildCapturedOrder(store, { gateway, voucherMinors: [10_000n] }) }
}

type Scene = Awaited<ReturnType<typeof buildOrder>>

const REQUESTS: Record<string, (scene: Scene) => RefundRequest> = {
  'an amount': () => ({ amountMinor: 6_000n }),
  'units and shipping': ({ order }) => ({
    items: [{ orderItemId: order.lines[0]?.id ?? '', quantity: 1 }],
    shippingAmountMinor: 500n,
  }),
  'a voucher': ({ order }) => ({ items: [{ orderItemId: order.vouchers[0]?.lineId ?? '', quantity: 1 }] }),
}

for (const [name, requestOf] of Object.entries(REQUESTS))
  test(`a refund of ${name}: the order with the added refund equals the order read after the insert`, async () => {
    const scene = await buildOrder()
    const { store, order } = scene
    await inStore(store.id, (tx) =>
      bookGatewayRefund(tx, {
        provider: 'stripe',
        reference: 're_elsewhere',
        paymentReference: order.reference ?? '',
        status: 'pending',
        amountMinor: 700n,
        currency: 'EUR',
        failureReason: null,
        refundId: null,
      }),
    )

    await inStore(store.id, async (tx) => {
      const locked = await lockOrder(tx, order.id)
      const before = await loadRefundableOrder(tx, locked)
      const plan = await planRefund(tx, before, calculateRefund(before, requestOf(scene)))
      const columns = { reason: null, restock: false, isReturn: false, requestedBy: 'staff:1' } as const
      const refund = await insertRefund(tx, before, { ...plan, ...columns })

      const read = await loadRefundableOrder(tx, locked)
      assert.equal(read.inProgress.length, 2)
      assert.deepEqual(limitsOf(addRefundInProgress(before, refund, plan.items)), limitsOf(read))
    })
  })
