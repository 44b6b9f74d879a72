import { smaller } from '#shared/platform/money.ts'

/** The parts of a booked amount in minor units. Their sum is the amount. */
export interface BookingParts {
  surplusMinor: bigint
  orderMinor: bigint
  /** What neither the surplus nor the order has left. */
  excessMinor: bigint
}

/** What is left to pay back, in minor units. */
interface Owed {
  surplusMinor: bigint
  orderMinor: bigint
}

/** Splits an amount: it returns first the owed surplus, then what the order can still refund. */
export function splitBooking(amountMinor: bigint, owed: Owed): BookingParts {
  const surplusMinor = smaller(amountMinor, owed.surplusMinor)
  const restMinor = amountMinor - surplusMinor
  const orderMinor = smaller(restMinor, owed.orderMinor)
  return { surplusMinor, orderMinor, excessMinor: restMinor - orderMinor }
}
