import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { deferMove, readReservations } from './deferred-moves.ts'
import { moveStatement, moveUnits, type ShortVariant } from './move-units.ts'
import { reserveStock } from './reserve-stock.ts'
import { toArrays, type VariantUnits } from './stock-level.ts'

/** SQL: the units ($4, $5) that an order has in a state, at most those that it reserved. */
const partOf = (state: 'allocated' | 'shipped') => `
    select a.variant_id, least(a.quantity, r.quantity) as quantity, r.state
    from unnest($4::uuid[], $5::int[]) as a (variant_id, quantity)
    join stock_reservations r on r.store_id = ${CURRENT_STORE} and r.order_id = $1::uuid
      and r.variant_id = a.variant_id and r.state = '${state}'`

const SHIP = moveStatement('ship_units', partOf('allocated'))
const UNSHIP = moveStatement('unship_units', partOf('shipped'))

const FIND_UNALLOCATED: Statement = {
  name: 'find_unallocated_units',
  text: `
  select a.variant_id as "variantId", (a.quantity - coalesce(r.quantity, 0))::int as quantity
  from unnest($2::uuid[], $3::int[]) as a (variant_id, quantity)
  left join stock_reservations r on r.store_id = ${CURRENT_STORE} and r.order_id = $1::uuid
    and r.variant_id = a.variant_id and r.state = 'allocated'
  where a.quantity > coalesce(r.quantity, 0)`,
}

/**
 * Ships units of an order, which the caller has locked. Units that it no longer has allocated, because a refund
 * restocked them and the bank returned its money, are allocated first. Too few units ship nothing: the result names the
 * short variants.
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

/** Allocates again, right before the commit, units of an order, which the caller has locked, that did not ship. */
export const unshipUnits = (tx: StoreTx, orderId: string, units: readonly VariantUnits[]): void =>
  deferMove(tx, orderId, () => moveUnits(tx, UNSHIP, { orderId, to: 'allocated', values: toArrays(units) }))
