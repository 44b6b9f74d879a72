import { releaseHold } from '../orders/jobs.ts'
import { inMs, SECOND_MS } from '../platform/clock.ts'
import { enqueue } from '../platform/enqueue.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import type { Store } from '../stores/store.ts'
import { expireOrder } from './jobs.ts'

export interface PaymentWindow {
  /** Until then the stock is kept for the buyer. */
  holdUntil: Date
  /** Until then the order waits for its payment. */
  expiresAt: Date
}

/** How long a buyer has from now on, by the store's settings. */
export function paymentWindow({ stockHoldSeconds, unpaidOrderSeconds }: Store): PaymentWindow {
  return { holdUntil: inMs(stockHoldSeconds * SECOND_MS), expiresAt: inMs(unpaidOrderSeconds * SECOND_MS) }
}

/** Has a hold end when its time comes. */
export const scheduleRelease = (
  tx: StoreTx,
  orderId: string,
  { holdUntil }: PaymentWindow,
): Promise<string> => enqueue(tx, releaseHold, { orderId }, { startAfter: holdUntil })

/** Has an order given up when its time comes, unless it is paid by then. */
export const scheduleExpiry = (tx: StoreTx, orderId: string, { expiresAt }: PaymentWindow): Promise<string> =>
  enqueue(tx, expireOrder, { orderId }, { startAfter: expiresAt })
