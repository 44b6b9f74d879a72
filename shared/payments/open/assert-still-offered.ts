import { findSellable } from '#shared/catalog/variants/find-sellable.ts'
import { OrderErrors, StockErrors } from '#shared/orders/errors.ts'
import type { LockedOrder } from '#shared/orders/order.ts'
import { findOrderItems } from '#shared/orders/order-item.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { DAY_MS, inMs, now } from '#shared/platform/time/clock.ts'

/** A failed order can be paid for this time after it was placed. */
const REOPENING_MS = 7 * DAY_MS

/**
 * Throws unless the store still offers an order at its prices: `order.not_payable` for an order that failed and is
 * older than seven days, and `checkout.insufficient_stock` for goods that are no longer sold and not held for the
 * buyer. Otherwise a buyer could reserve a low price now and decide about it much later. The later charges of a
 * subscription have agreed prices, and are always offered.
 */
export async function assertStillOffered(tx: StoreTx, order: LockedOrder): Promise<void> {
  const { status, chargeNo, createdAt, holdUntil } = order
  if (chargeNo !== null && chargeNo > 1) return
  if (status === 'failed' && createdAt <= inMs(-REOPENING_MS))
    throw OrderErrors.notPayable({ reason: 'too_old' })
  if (!holdUntil || holdUntil <= now()) await assertSold(tx, order.id)
}

async function assertSold(tx: StoreTx, orderId: string): Promise<void> {
  const lines = await findOrderItems(tx, orderId)
  const variants = await findSellable(
    tx,
    lines.flatMap(({ variantId }) => variantId ?? []),
  )
  // A gift voucher has no product. Deleted goods keep theirs.
  const unsold = lines.filter(
    ({ productId, variantId }) => productId && !variants.get(variantId ?? '')?.isSellable,
  )
  if (unsold.length === 0) return
  throw StockErrors.insufficientStock({
    lines: unsold.map(({ name, sku, quantity }) => ({ name, sku, quantity, available: 0 })),
  })
}
