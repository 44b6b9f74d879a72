import { inMs, SECOND_MS } from '#shared/platform/time/clock.ts'
import type { Store } from '#shared/stores/store.ts'

export interface PaymentWindow {
  /** The end of the stock hold. */
  holdUntil: Date
  /** The order fails if it is not paid before this time. */
  expiresAt: Date
}

/** Returns the time limits of a payment that starts now, by the store's settings. */
export function paymentWindow({ stockHoldSeconds, unpaidOrderSeconds }: Store): PaymentWindow {
  return { holdUntil: inMs(stockHoldSeconds * SECOND_MS), expiresAt: inMs(unpaidOrderSeconds * SECOND_MS) }
}

/** Returns the end of the hold of an order by bank transfer that is placed now. These orders do not expire. */
export const transferHoldUntil = ({ bankTransferHoldSeconds }: Store): Date =>
  inMs(bankTransferHoldSeconds * SECOND_MS)
