import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { inMs, SECOND_MS } from '#shared/platform/time/clock.ts'
import type { Store } from '#shared/stores/store.ts'
import { expireOrder } from './jobs.ts'

export interface PaymentWindow {
  /** The end of the stock hold. */
  holdUntil: Date
  /** The order fails when it is not paid before. */
  expiresAt: Date
}

/** The time a buyer has from now on, by the store's settings. */
export function paymentWindow({ stockHoldSeconds, unpaidOrderSeconds }: Store): PaymentWindow {
  return { holdUntil: inMs(stockHoldSeconds * SECOND_MS), expiresAt: inMs(unpaidOrderSeconds * SECOND_MS) }
}

/** The end of the hold of an order by bank transfer that is placed now. Such an order does not expire. */
export const transferHoldUntil = ({ bankTransferHoldSeconds }: Store): Date =>
  inMs(bankTransferHoldSeconds * SECOND_MS)

/** Schedules the failure of an order that is not paid by then. */
export const scheduleExpiry = (tx: StoreTx, orderId: string, expiresAt: Date): Promise<string> =>
  enqueue(tx, expireOrder, { orderId }, { startAfter: expiresAt })
