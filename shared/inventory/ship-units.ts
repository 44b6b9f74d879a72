import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { moveStatement, moveUnits, type ShortVariant } from './move-units.ts'
import { toArrays, type VariantUnits } from './variant-units.ts'

/** SQL: the units ($3, $4) that an order has in a state, at most those that it reserved. */
const partOf = (state: 'allocated' | 'shipped') => `
    select a.variant_id, least(a.quantity, r.quantity) as quantity, r.state
    from unnest($3::uuid[], $4::int[]) as a (variant_id, quantity)
    join stock_reservations r on r.store_id = ${CURRENT_STORE} and r.order_id = $1::uuid
      and r.variant_id = a.variant_id and r.state = '${state}'`

const SHIP = moveStatement('ship_units', partOf('allocated'))
const UNSHIP = moveStatement('unship_units', partOf('shipped'))

/** Ships a part of the units that an order, which the caller has locked, has allocated. */
export const shipUnits = (
  tx: StoreTx,
  orderId: string,
  units: readonly VariantUnits[],
): Promise<ShortVariant[]> => moveUnits(tx, SHIP, { orderId, to: 'shipped', values: toArrays(units) })

/** Allocates again units of an order, which the caller has locked, whose shipment did not take place. */
export const unshipUnits = (
  tx: StoreTx,
  orderId: string,
  units: readonly VariantUnits[],
): Promise<ShortVariant[]> => moveUnits(tx, UNSHIP, { orderId, to: 'allocated', values: toArrays(units) })
