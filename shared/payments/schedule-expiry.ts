import { releaseHold } from '#shared/orders/jobs.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { inMs, SECOND_MS } from '#shared/platform/time/clock.ts'
import type { Store } from '#shared/stores/store.ts'
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
