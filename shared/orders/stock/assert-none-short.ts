import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { StockErrors } from '../errors.ts'
import { OrderItem } from '../order-item.ts'
import type { ShortVariant } from './move-stock.ts'

/** Throws `checkout.insufficient_stock`, naming the lines, when any variant fell short. */
export async function assertNoneShort(tx: StoreTx, orderId: string, short: ShortVariant[]): Promise<void> {
  if (short.length === 0) return
  const available = new Map(short.map((variant) => [variant.variantId, variant.available]))
  const items = await OrderItem.in(tx)
    .where('order_id', orderId)
    .whereIn('variant_id', [...available.keys()])
    .orderBy('position')
  const lines = items.map(({ name, sku, quantity, variantId }) => ({
    name,
    sku,
    asked: quantity,
    available: available.get(variantId ?? '') ?? 0,
  }))
  throw StockErrors.insufficient({ lines })
}
