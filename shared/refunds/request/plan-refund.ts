import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { formatMinor } from '#shared/platform/money.ts'
import type { RefundBreakdown } from '#shared/refunds/calculate/calculate-refund.ts'
import { assertWithinLimit, exceedsPaid } from '#shared/refunds/calculate/refund-limit.ts'
import type { RefundOptions } from '#shared/refunds/calculate/refund-request.ts'
import { type RefundSource, splitBySource } from '#shared/refunds/calculate/refund-source.ts'
import { lowestExactPriceMinor, roundForGateway } from '#shared/refunds/calculate/round-for-gateway.ts'
import { RefundErrors } from '#shared/refunds/errors.ts'
import type { Refund } from '#shared/refunds/refund.ts'
import { findRefundSource } from '#shared/refunds/refundable/find-refund-source.ts'
import type { LoadedRefundableOrder } from '#shared/refunds/refundable/load-refundable-order.ts'

/** The parts of a refund that is allowed: its amounts, its gateway payment, its units and vouchers. */
export type RefundPlan = Pick<RefundBreakdown, 'items' | 'voucherPrices'> &
  Pick<
    Refund,
    | 'amountMinor'
    | 'roundingMinor'
    | 'shippingAmountMinor'
    | 'paymentId'
    | 'gatewayAmountMinor'
    | 'voucherAmountMinor'
    | 'creditMinor'
  >

/**
 * Finds the source of a calculated refund, rounds the refund, checks it against what is left, and splits it by the
 * payments that it refunds. Throws `order.nothing_to_refund`, `refund.exceeds_paid`, `refund.voucher_spent`,
 * `refund.units_replaced`, 422 for an amount that the gateway cannot pay, and `refund.in_progress` if a refund at the
 * gateway takes the missing amount. The caller has checked that no other refund by the store is in progress.
 */
export async function planRefund(
  tx: StoreTx,
  refundable: LoadedRefundableOrder,
  { isFixed, ...breakdown }: RefundBreakdown,
  { means = 'gateway', override = false }: Pick<RefundOptions, 'means' | 'override'> = {},
): Promise<RefundPlan> {
  const { order } = refundable
  if (order.refundableMinor === 0n) throw RefundErrors.nothingToRefund()
  if (breakdown.amountMinor === 0n)
    throw RefundErrors.nothingToRefund({ refundable: formatMinor(order.refundableMinor, order.currency) })
  const source = await findRefundSource(tx, refundable, means)
  const rounded = roundForGateway(order, source, { ...breakdown, isFixed })
  const { amountMinor } = rounded
  assertMoneyLeft(refundable, source, amountMinor)
  if (!override)
    assertWithinLimit(refundable, isFixed ? amountMinor : lowestExactPriceMinor(amountMinor, order))
  const parts = splitBySource(source, amountMinor, order.currency)
  return { ...breakdown, ...rounded, ...parts, creditMinor: means === 'credit' ? amountMinor : 0n }
}

/** Throws `refund.exceeds_paid`, or `refund.in_progress` if refunds in progress take the missing amount. */
function assertMoneyLeft(
  refundable: LoadedRefundableOrder,
  { maxMinor }: RefundSource,
  amountMinor: bigint,
): void {
  const overMaxMinor = amountMinor - maxMinor
  if (overMaxMinor <= 0n) return
  // The refund would pay again what the gateway is already paying back.
  if (overMaxMinor <= refundable.inProgressMinor) throw RefundErrors.inProgress()
  throw exceedsPaid(refundable, maxMinor)
}
