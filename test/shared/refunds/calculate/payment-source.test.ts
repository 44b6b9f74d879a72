import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Payment } from '#shared/payments/payment.ts'
import type { Surplus } from '#shared/payments/surplus.ts'
import { paymentSource } from '#shared/refunds/calculate/payment-source.ts'
import type { RefundableOrder } from '#shared/refunds/calculate/refundable-order.ts'
import type { Refund } from '#shared/refunds/refund.ts'

interface Case {
  /** The captured payments, by id. */
  captured: Record<string, bigint>
  voucher?: bigint
  /** What is neither refunded nor in progress. */
  available: bigint
  surplus?: { of: string; amount: bigint }
  refunds?: Partial<Refund>[]
  inProgress?: Partial<Refund>[]
}

function sourceOf({ captured, voucher = 0n, available, surplus, refunds = [], inProgress = [] }: Case) {
  const toRefund = (refund: Partial<Refund>) => ({
    paymentId: null,
    gatewayAmountMinor: 0n,
    surplusMinor: 0n,
    creditMinor: 0n,
    roundingMinor: 0n,
    ...refund,
  })
  const { payment, ...amounts } = paymentSource({
    refundable: {
      order: { refundableMinor: available },
      inProgress: inProgress.map(toRefund),
      inProgressMinor: 0n,
    } as unknown as RefundableOrder,
    payments: Object.entries(captured).map(([id, capturedMinor]) => ({ id, capturedMinor }) as Payment),
    surpluses: surplus ? [{ paymentId: surplus.of, amountMinor: surplus.amount } as Surplus] : [],
    succeeded: refunds.map(toRefund) as Refund[],
    voucherMinor: voucher,
  })
  const { gatewayMinor: gateway, offlineMinor: offline, voucherMinor, maxMinor: most } = amounts
  return { payment: payment?.id ?? null, gateway, offline, voucher: voucherMinor, most }
}

const CASES: Record<string, [Case, ReturnType<typeof sourceOf>]> = {
  'a paid order is refunded from its payment': [
    { captured: { a: 1_000n }, available: 1_000n },
    { payment: 'a', gateway: 1_000n, offline: 0n, voucher: 0n, most: 1_000n },
  ],
  'of two payments the one with more left is the source': [
    { captured: { a: 400n, b: 600n }, available: 1_000n },
    { payment: 'b', gateway: 600n, offline: 0n, voucher: 0n, most: 600n },
  ],
  'a refund by the gateway reduces its payment': [
    {
      captured: { a: 1_000n },
      available: 700n,
      refunds: [{ paymentId: 'a', gatewayAmountMinor: 300n }],
    },
    { payment: 'a', gateway: 700n, offline: 0n, voucher: 0n, most: 700n },
  ],
  'a refund in progress reduces its payment': [
    {
      captured: { a: 1_000n },
      available: 700n,
      inProgress: [{ paymentId: 'a', gatewayAmountMinor: 300n }],
    },
    { payment: 'a', gateway: 700n, offline: 0n, voucher: 0n, most: 700n },
  ],
  'a surplus is not refunded with the order': [
    { captured: { a: 1_500n }, available: 1_000n, surplus: { of: 'a', amount: 500n } },
    { payment: 'a', gateway: 1_000n, offline: 0n, voucher: 0n, most: 1_000n },
  ],
  'money that no gateway and no voucher paid is offline': [
    { captured: {}, available: 1_000n },
    { payment: null, gateway: 0n, offline: 1_000n, voucher: 0n, most: 1_000n },
  ],
  "a voucher's part stays the voucher's": [
    { captured: { a: 600n }, voucher: 400n, available: 1_000n },
    { payment: 'a', gateway: 600n, offline: 0n, voucher: 400n, most: 1_000n },
  ],
  "money that staff paid out is taken off the card, not off the voucher's part": [
    { captured: { a: 600n }, voucher: 400n, available: 500n },
    { payment: 'a', gateway: 100n, offline: 0n, voucher: 400n, most: 500n },
  ],
  'after a full refund nothing is left': [
    {
      captured: { a: 1_000n },
      available: 0n,
      refunds: [{ paymentId: 'a', gatewayAmountMinor: 1_000n }],
    },
    { payment: null, gateway: 0n, offline: 0n, voucher: 0n, most: 0n },
  ],
  'an order that paid back more than it took has nothing to refund': [
    { captured: { a: 1_000n }, available: -200n },
    { payment: 'a', gateway: 0n, offline: 0n, voucher: 0n, most: 0n },
  ],
}

for (const [title, [given, expected]] of Object.entries(CASES))
  test(title, () => {
    assert.deepEqual(sourceOf(given), expected)
  })
