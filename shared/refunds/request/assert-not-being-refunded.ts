import type { LockedOrder } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { sum } from '#shared/platform/money.ts'
import { RefundErrors } from '#shared/refunds/errors.ts'
import { RefundItem } from '#shared/refunds/refund.ts'
import { listOrderRefundsInProgress } from '#shared/refunds/refunds-in-progress.ts'

/**
 * Throws `refund.in_progress` while a refund of unshipped units is in progress, or a refund of everything that is left.
 * The units of a return have shipped, so its refund does not count.
 */
export async function assertNotBeingRefunded(tx: StoreTx, order: LockedOrder): Promise<void> {
  const refunds = await listOrderRefundsInProgress(tx, order)
  const inProgressMinor = sum(refunds.map(({ beyondSurplusMinor }) => beyondSurplusMinor))
  const refundsAllThatIsLeft = refunds.length > 0 && inProgressMinor >= order.refundableMinor
  const idsOutsideReturns = refunds.filter(({ isReturn }) => !isReturn).map(({ id }) => id)
  const refundsUnits =
    !order.shippedAt && idsOutsideReturns.length > 0 && (await hasItems(tx, idsOutsideReturns))
  if (refundsAllThatIsLeft || refundsUnits) throw RefundErrors.inProgress()
}

const hasItems = async (tx: StoreTx, refundIds: string[]): Promise<boolean> =>
  (await RefundItem.in(tx).whereIn('refund_id', refundIds).first()) !== undefined
