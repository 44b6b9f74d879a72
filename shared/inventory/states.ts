/**
 * The statuses of an order's units. `held`: promised while the payment is open. `allocated`: sold and not yet shipped.
 * `shipped`. `released`: available to other orders again.
 */
export const RESERVATION_STATUSES = ['held', 'allocated', 'shipped', 'released'] as const
export type ReservationStatus = (typeof RESERVATION_STATUSES)[number]

/** The statuses of units that are reserved and not yet shipped. */
export const OPEN_RESERVATION_STATUSES = ['held', 'allocated'] as const satisfies readonly ReservationStatus[]

/** The statuses of sold units, in the sequence in which a restock takes them. */
export const SOLD_RESERVATION_STATUSES = [
  'allocated',
  'shipped',
] as const satisfies readonly ReservationStatus[]
