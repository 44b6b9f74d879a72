import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { deferMove, readReservations } from './deferred-moves.ts'
import { moveStatement, moveUnits, type ShortVariant } from './move-units.ts'
import { reserveStock } from './reserve-stock.ts'
import { toArrays, type VariantUnits } from './stock-level.ts'

/** SQL: the units ($4, $5) of an order in a status, at most as many as it has reserved. */
const partOf = (status: 'allocated' | 'shipped') => `
    select a.variant_id, least(a.quantity, r.quantity) as quantity, r.status
    from unnest($4::uuid[], $5::int[]) as a (variant_id, quantity)
    join stock_reservations r on r.store_id = ${CURRENT_STORE} and r.order_id = $1::uuid
      and r.variant_id = a.variant_id and r.status = '${status}'`

const SHIP = moveStatement('ship_units', partOf('allocated'))
const UNSHIP = moveStatement('unship_units', partOf('shipped'))

const FIND_UNALLOCATED: Statement = {
  name: 'find_unallocated_units',
  text: `
  select a.variant_id as "variantId", (a.quantity - coalesce(r.quantity, 0))::int as quantity
  from unnest($2::uuid[], $3::int[]) as a (variant_id, quantity)
  left join stock_reservations r on r.store_id = ${CURRENT_STORE} and r.order_id = $1::uuid
    and r.variant_id = a.variant_id and r.status = 'allocated'
  where a.quantity > coalesce(r.quantity, 0)`,
}

/**
 * Ships units of an order. The caller has locked the order. If a refund restocked units and then failed, they are
 * allocated again first. If units are missing, ships nothing and returns the short variants.
 */
export async function shipUnits(
  tx: StoreTx,
  orderId: string,
  units: readonly VariantUnits[],
): Promise<ShortVariant[]> {
  const unallocated = await readReservations<VariantUnits>(tx, FIND_UNALLOCATED, orderId, toArrays(units))
  const short = unallocated.length ? await reserveStock(tx, orderId, 'allocated', unallocated) : []
  return short.length ? short : moveUnits(tx, SHIP, { orderId, to: 'shipped', values: toArrays(units) })
}

/**
 * Allocates units of an order that did not ship after all, right before the commit. The caller has locked the order.
 */
export const unshipUnits = (tx: StoreTx, orderId: string, units: readonly VariantUnits[]): void =>
  deferMove(tx, orderId, () => moveUnits(tx, UNSHIP, { orderId, to: 'allocated', values: toArrays(units) }))
