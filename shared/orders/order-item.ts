import type { VariantUnits } from '#shared/inventory/stock-level.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/** One line of an order, with the product's name and price at the time of the order. */
export class OrderItem extends StoreModel {
  static override tableName = 'order_items'
  static override jsonAttributes = ['optionValues']

  declare orderId: string
  declare position: number
  declare productId: string | null
  declare variantId: string | null
  declare name: string
  declare sku: string
  declare optionValues: Record<string, string>
  declare imageUrl: string | null
  declare quantity: number
  declare unitPriceMinor: bigint
  /** Before the discount. It includes tax if the order's prices do. */
  declare lineTotalMinor: bigint
  declare discountMinor: bigint
  /** The tax class at the time of the order; null for a gift voucher. */
  declare taxClassId: string | null
  declare taxMinor: bigint
  /** The price that the buyer pays for the line, after the discount and with tax. */
  declare totalMinor: bigint
  declare refundedQuantity: number
  declare shippedQuantity: number
  /** Units that were refunded before they shipped. They no longer ship. */
  declare withdrawnQuantity: number
  /** The line of another order whose units a replacement sends again; null for a line that was bought. */
  declare replacesItemId: string | null
}

/** Units of an order's line. */
export interface LineUnits {
  orderItemId: string
  quantity: number
}

/** Sums units of lines by variant. A line without a variant, e.g. a gift voucher, has no stock. */
export function toVariantUnits(lines: readonly OrderItem[], units: readonly LineUnits[]): VariantUnits[] {
  const quantities = new Map<string, number>()
  for (const { orderItemId, quantity } of units) {
    const variantId = lines.find(({ id }) => id === orderItemId)?.variantId
    if (variantId) quantities.set(variantId, (quantities.get(variantId) ?? 0) + quantity)
  }
  return [...quantities].map(([variantId, quantity]) => ({ variantId, quantity }))
}

/** Returns the lines of an order by position. */
export const findOrderItems = (tx: StoreTx, orderId: string) =>
  OrderItem.in(tx).where('order_id', orderId).orderBy('position')

/** Whether at least one unit of an order is shipped. */
export const hasShippedUnits = async (tx: StoreTx, orderId: string): Promise<boolean> =>
  (await findOrderItems(tx, orderId)).some(({ shippedQuantity }) => shippedQuantity > 0)

/**
 * Adds shipped units to lines of an order; for a deleted shipment the units are negative. The caller has locked the
 * order. Returns the changed lines.
 */
export async function recordShipped(
  tx: StoreTx,
  lines: readonly OrderItem[],
  units: readonly LineUnits[],
): Promise<OrderItem[]> {
  for (const { orderItemId, quantity } of units)
    await OrderItem.in(tx).where('id', orderItemId).increment('shipped_quantity', quantity)
  const unitsOf = Map.groupBy(units, ({ orderItemId }) => orderItemId)
  return lines.map((line) => {
    const added = (unitsOf.get(line.id) ?? []).reduce((sum, { quantity }) => sum + quantity, 0)
    return line.with({ shippedQuantity: line.shippedQuantity + added })
  })
}

/** SQL: the shipped units of a line once nothing of it is left to ship (see `unshippedUnits`). */
const ALL_SHIPPED =
  'shipped_quantity + quantity - greatest(refunded_quantity, shipped_quantity + withdrawn_quantity)'

/** Records that all units left of an order are shipped. The caller has locked the order. */
export const recordAllShipped = (tx: StoreTx, orderId: string): PromiseLike<unknown> =>
  OrderItem.in(tx)
    .where('order_id', orderId)
    .whereNotNull('variant_id')
    .patch({ shippedQuantity: tx.knex.raw(ALL_SHIPPED) })
