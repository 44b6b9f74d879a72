import type { LockedOrder } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { sum } from '#shared/platform/money.ts'
import { RefundErrors } from '../errors.ts'
import { RefundItem } from '../refund.ts'
import { listRefundsThatPayOrder } from '../refunds-in-progress.ts'

/**
 * Throws `refund.in_progress` while units of an order are not to be shipped: refunds of everything that is left are in
 * progress, or one that names units. A refund of a return names shipped ones.
 */
export async function assertNotBeingRefunded(tx: StoreTx, order: LockedOrder): Promise<void> {
  const refunds = await listRefundsThatPayOrder(tx, order)
  const inProgressMinor = sum(refunds.map(({ beyondSurplusMinor }) => beyondSurplusMinor))
  const paysAll = refunds.length > 0 && inProgressMinor >= order.refundableMinor
  const named = refunds.filter(({ isReturn }) => !isReturn).map(({ id }) => id)
  const namesUnits = !order.shippedAt && named.length > 0 && (await hasItems(tx, named))
  if (paysAll || namesUnits) throw RefundErrors.inProgress()
}

const hasItems = async (tx: StoreTx, refundIds: string[]): Promise<boolean> =>
  (await RefundItem.in(tx).whereIn('refund_id', refundIds).first()) !== undefined
