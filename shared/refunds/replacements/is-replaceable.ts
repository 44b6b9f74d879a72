import type { LockedOrder } from '#shared/orders/order.ts'
import type { LineUnits } from '#shared/orders/order-item.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { sum } from '#shared/platform/money.ts'
import { amountOfLastUnits } from '#shared/refunds/calculate/amount-of-units.ts'
import { unrefundedGoodsMinor } from '#shared/refunds/calculate/refund-limit.ts'
import { unitsLeft } from '#shared/refunds/calculate/refundable-order.ts'
import { lowestExactPriceMinor } from '#shared/refunds/calculate/round-for-gateway.ts'
import { RefundErrors } from '#shared/refunds/errors.ts'
import { loadRefundableOrder } from '#shared/refunds/refundable/load-refundable-order.ts'
import { findStoreRefundInProgress } from '#shared/refunds/refunds-in-progress.ts'

/**
 * Whether units of an order can be sent again: they are neither refunded nor replaced, and no refund of an amount has
 * paid their price back. Throws `refund.in_progress`.
 */
export async function isReplaceable(
  tx: StoreTx,
  order: LockedOrder,
  units: readonly LineUnits[],
): Promise<boolean> {
  if (await findStoreRefundInProgress(tx, order.id)) throw RefundErrors.inProgress()
  const refundable = await loadRefundableOrder(tx, order)
  const prices = units.map(({ orderItemId, quantity }) => {
    const line = refundable.lines.find(({ id }) => id === orderItemId)
    if (!line || unitsLeft(refundable, line) < quantity) return null
    const replaced = refundable.replaced.get(line.id) ?? 0
    return amountOfLastUnits(line, replaced + quantity) - amountOfLastUnits(line, replaced)
  })
  const known = prices.filter((minor) => minor !== null)
  // Refunds of other units may have been rounded up.
  const priceMinor = lowestExactPriceMinor(sum(known), order)
  return known.length === prices.length && priceMinor <= unrefundedGoodsMinor(refundable)
}
