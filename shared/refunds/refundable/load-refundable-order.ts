import type { LockedOrder } from '#shared/orders/order.ts'
import { findOrderItems, type OrderItem } from '#shared/orders/order-item.ts'
import { countReplacedUnits } from '#shared/orders/replacements/count-replaced-units.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { sum } from '#shared/platform/money.ts'
import type { RefundableOrder } from '#shared/refunds/calculate/refundable-order.ts'
import { type Refund, RefundItem } from '#shared/refunds/refund.ts'
import { listOrderRefundsInProgress } from '#shared/refunds/refunds-in-progress.ts'
import { lockBoughtVouchers } from '#shared/vouchers/redemptions/bought-voucher.ts'
import { findRefundedPrices } from './find-refunded-prices.ts'

export interface LoadedRefundableOrder extends RefundableOrder {
  order: LockedOrder
}

/** Reads everything that limits the refunds of an order, and locks the vouchers that it bought. */
export async function loadRefundableOrder(tx: StoreTx, order: LockedOrder): Promise<LoadedRefundableOrder> {
  const lines = await findOrderItems(tx, order.id)
  const refunded = await findRefundedPrices(tx, order.id, lines)
  const inProgress = await listOrderRefundsInProgress(tx, order)
  return {
    order,
    lines,
    replaced: await countReplacedUnits(tx, order.id),
    vouchers: await lockBoughtVouchers(tx, voucherPrices(lines)),
    refundedPrices: refunded.byLine,
    shippingRefundedMinor: refunded.shippingMinor,
    inProgress,
    inProgressMinor: sum(inProgress.map(({ beyondSurplusMinor }) => beyondSurplusMinor)),
    unitsInProgress: await countUnits(tx, inProgress),
  }
}

/** Returns the units of refunds, by the line's id. */
async function countUnits(tx: StoreTx, refunds: readonly Refund[]): Promise<ReadonlyMap<string, number>> {
  const ids = refunds.map(({ id }) => id)
  const items = ids.length ? await RefundItem.in(tx).whereIn('refund_id', ids) : []
  const units = new Map<string, number>()
  for (const { orderItemId, quantity } of items)
    units.set(orderItemId, (units.get(orderItemId) ?? 0) + quantity)
  return units
}

/**
 * Returns the prices of the lines that may be bought vouchers, by line id: those without a variant. This includes lines
 * whose variant was purged.
 */
const voucherPrices = (lines: readonly OrderItem[]): ReadonlyMap<string, bigint> =>
  new Map(lines.filter(({ variantId }) => !variantId).map(({ id, lineTotalMinor }) => [id, lineTotalMinor]))
