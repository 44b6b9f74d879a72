import { StockMovement } from '#shared/catalog/stock-movement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'

/** Books units that left or came back to the shelf, with the order they belong to. */
export async function noteStockMovements(
  tx: StoreTx,
  reason: 'shipment' | 'return',
  orderId: string,
  moved: { variantId: string; delta: number }[],
): Promise<void> {
  if (moved.length === 0) return
  const createdAt = now()
  await StockMovement.in(tx).insert(
    moved.map(({ variantId, delta }) => ({ variantId, delta, reason, reference: orderId, createdAt })),
  )
}
