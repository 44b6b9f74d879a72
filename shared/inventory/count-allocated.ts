import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { readReservations } from './deferred-moves.ts'
import type { VariantUnits } from './stock-level.ts'

const COUNT_ALLOCATED: Statement = {
  name: 'count_allocated_units',
  text: `
  select variant_id as "variantId", quantity from stock_reservations
  where store_id = ${CURRENT_STORE} and order_id = $1::uuid and status = 'allocated'`,
}

/** Returns the units that an order has allocated, by the id of their variant. The caller has locked the order. */
export async function countAllocated(tx: StoreTx, orderId: string): Promise<ReadonlyMap<string, number>> {
  const rows = await readReservations<VariantUnits>(tx, COUNT_ALLOCATED, orderId)
  return new Map(rows.map(({ variantId, quantity }) => [variantId, quantity]))
}
