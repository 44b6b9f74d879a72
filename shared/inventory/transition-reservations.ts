import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { deferMove, readReservations } from './deferred-moves.ts'
import { moveStatement, moveUnits, type ShortVariant } from './move-units.ts'
import type { ReservationStatus } from './states.ts'

export interface ReservationTransition {
  from: ReservationStatus[]
  to: ReservationStatus
}

interface EarlyMove {
  /**
   * Locks the rows that every transaction locks before variants. It runs before a move that cannot wait for the commit.
   */
  lockFirst: () => Promise<void>
}

const TRANSITION = moveStatement(
  'transition_reservations',
  `
    select variant_id, quantity, status from stock_reservations
    where store_id = ${CURRENT_STORE} and order_id = $1::uuid and status = any($4::text[])`,
)

const FIND_RELEASED: Statement = {
  name: 'find_released_units',
  text: `
  select from stock_reservations
  where store_id = ${CURRENT_STORE} and order_id = $1::uuid and status = 'released' limit 1`,
}

/**
 * Moves the reservations of an order from some statuses to another. The caller has locked the order. Released units can
 * be reserved again only if they are available: if units are missing, moves nothing and returns the short variants. Any
 * other transition cannot fail, and takes place right before the commit.
 */
export async function transitionReservations(
  tx: StoreTx,
  orderId: string,
  { from, to }: ReservationTransition,
  { lockFirst }: EarlyMove,
): Promise<ShortVariant[]> {
  const move = () => moveUnits(tx, TRANSITION, { orderId, to, values: [from] })
  if (from.includes('released') && (await hasReleased(tx, orderId))) {
    await lockFirst()
    return move()
  }
  deferMove(tx, orderId, move)
  return []
}

const hasReleased = async (tx: StoreTx, orderId: string): Promise<boolean> =>
  (await readReservations(tx, FIND_RELEASED, orderId)).length > 0
