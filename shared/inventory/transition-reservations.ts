import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { moveStatement, moveUnits, type ReservationState, type ShortVariant } from './move-units.ts'

export interface ReservationTransition {
  from: ReservationState[]
  to: ReservationState
}

const TRANSITION = moveStatement(
  'transition_reservations',
  `
    select variant_id, quantity, state from stock_reservations
    where store_id = ${CURRENT_STORE} and order_id = $1::uuid and state = any($4::text[])`,
)

/**
 * Moves the reservations of an order, which the caller has locked, from some states to another. Reserving again what
 * was released needs available units: too few move nothing, and the result names the short variants.
 */
export const transitionReservations = (
  tx: StoreTx,
  orderId: string,
  { from, to }: ReservationTransition,
): Promise<ShortVariant[]> => moveUnits(tx, TRANSITION, { orderId, to, values: [from] })
