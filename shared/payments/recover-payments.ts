import type { Static, TObject, TProperties } from 'typebox'
import { db } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import type { JobDefinition } from '#shared/platform/jobs/define-job.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { withoutPendingJob } from '#shared/platform/jobs/job-table.ts'
import { DAY_MS, inMs, MINUTE_MS, now } from '#shared/platform/time/clock.ts'
import {
  chargeSavedCard,
  expireOrder,
  readPayment,
  returnSurplus,
  saveCard,
  settleCardSetup,
  settleNotification,
} from './jobs.ts'

/** The job of a younger row may not have run yet. */
const LOST_AFTER_MS = 2 * MINUTE_MS

/** A notification or card that cannot be saved for so long is a bug: its job stays among the dead letters. */
const RECOVERED_FOR_MS = 3 * DAY_MS

/** The age at which an open payment is first read. It is read again whenever its age has doubled: nine times a day. */
const FIRST_READ_AT = '4 minutes'

/** The rows of one kind and store that one run enqueues. The next run takes the next ones. */
const MAX_ROWS = 500

export interface RecoveredPayments {
  notifications: number
  savedCardPayments: number
  cards: number
  surpluses: number
  setups: number
  payments: number
  orders: number
}

/**
 * Enqueues the work that has lost its notification or job, in all stores: unhandled notifications, surpluses whose
 * return is due, payments by saved card without an outcome, cards that were not saved, payments and card setups that
 * have been open at the gateway for a while, and overdue orders. Returns the number of jobs of each kind.
 */
export async function recoverPayments(): Promise<RecoveredPayments> {
  const lostBefore = inMs(-LOST_AFTER_MS)
  return {
    notifications: await enqueueLost(
      settleNotification,
      `select store_id as "storeId", provider, notification_id as "notificationId"
       from notifications_unhandled(?, ?, ?)`,
      [inMs(-RECOVERED_FOR_MS), lostBefore, MAX_ROWS],
    ),
    savedCardPayments: await enqueueLost(
      chargeSavedCard,
      'select store_id as "storeId", payment_id as "paymentId" from charges_to_send(?, ?)',
      [lostBefore, MAX_ROWS],
    ),
    cards: await enqueueLost(
      saveCard,
      'select store_id as "storeId", payment_id as "paymentId" from cards_to_save(?, ?, ?)',
      [inMs(-RECOVERED_FOR_MS), lostBefore, MAX_ROWS],
    ),
    surpluses: await enqueueLost(
      returnSurplus,
      'select store_id as "storeId", surplus_id as "surplusId" from surpluses_due(?)',
      [lostBefore],
    ),
    setups: await enqueueLost(
      settleCardSetup,
      'select store_id as "storeId", setup_id as "setupId" from card_setups_open_at_gateway(?, ?, ?)',
      [now(), FIRST_READ_AT, MAX_ROWS],
    ),
    payments: await enqueueLost(
      readPayment,
      'select store_id as "storeId", payment_id as "paymentId" from payments_open_at_gateway(?, ?, ?)',
      [now(), FIRST_READ_AT, MAX_ROWS],
    ),
    orders: await enqueueLost(
      expireOrder,
      'select store_id as "storeId", order_id as "orderId" from orders_overdue(?, ?)',
      [lostBefore, MAX_ROWS],
    ),
  }
}

/**
 * Enqueues a job for each row, whose columns are its payload, unless such a job waits or runs. Returns their number.
 */
async function enqueueLost<P extends TProperties>(
  job: JobDefinition<P>,
  sql: string,
  values: (Date | number | string)[],
): Promise<number> {
  const { rows } = await db().raw<{ rows: (Static<TObject<P>> & { storeId: string })[] }>(sql, values)
  const left = await withoutPendingJob(job.queue, rows)
  for (const { storeId, ...payload } of left)
    await inStore(storeId, (tx) => enqueue(tx, job, payload as unknown as Static<TObject<P>>))
  return left.length
}
