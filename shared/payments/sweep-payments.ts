import type { Static, TObject, TProperties } from 'typebox'
import { db } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import type { JobDefinition } from '#shared/platform/jobs/define-job.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { withoutPendingJob } from '#shared/platform/jobs/job-table.ts'
import { DAY_MS, inMs, MINUTE_MS, now } from '#shared/platform/time/clock.ts'
import {
  expireOrder,
  readPayment,
  returnSurplus,
  saveCard,
  sendCharge,
  settleCardSetup,
  settleNotification,
} from './jobs.ts'

/** The job of a younger row may not have run yet. */
const LEFT_BEHIND_AFTER_MS = 2 * MINUTE_MS

/** A notification or card that cannot be saved for so long is a bug: its job stays among the dead letters. */
const SWEPT_FOR_MS = 3 * DAY_MS

/** The age at which an open payment is first read. It is read again whenever its age has doubled: nine times a day. */
const FIRST_READ_AT = '4 minutes'

/** The rows of one kind and store that one sweep enqueues. The next sweep takes the next ones. */
const MAX_ROWS = 500

export interface Swept {
  notifications: number
  charges: number
  cards: number
  surpluses: number
  setups: number
  payments: number
  orders: number
}

/**
 * Enqueues, in all stores, what a lost event or job has left behind: notifications that nobody handled, surpluses whose
 * return is due, charges of saved cards that wait for their outcome, cards that were not saved, payments and card setups
 * that have been open at the gateway for a while, and orders that were to expire while the gateway was away. Returns how
 * many jobs it enqueued.
 */
export async function sweepPayments(): Promise<Swept> {
  const leftBehind = inMs(-LEFT_BEHIND_AFTER_MS)
  return {
    notifications: await resume(
      settleNotification,
      `select store_id as "storeId", provider, notification_id as "notificationId"
       from notifications_unhandled(?, ?, ?)`,
      [inMs(-SWEPT_FOR_MS), leftBehind, MAX_ROWS],
    ),
    charges: await resume(
      sendCharge,
      'select store_id as "storeId", payment_id as "paymentId" from charges_to_send(?, ?)',
      [leftBehind, MAX_ROWS],
    ),
    cards: await resume(
      saveCard,
      'select store_id as "storeId", payment_id as "paymentId" from cards_to_save(?, ?, ?)',
      [inMs(-SWEPT_FOR_MS), leftBehind, MAX_ROWS],
    ),
    surpluses: await resume(
      returnSurplus,
      'select store_id as "storeId", surplus_id as "surplusId" from surpluses_due(?)',
      [leftBehind],
    ),
    setups: await resume(
      settleCardSetup,
      'select store_id as "storeId", setup_id as "setupId" from card_setups_open_at_gateway(?, ?, ?)',
      [now(), FIRST_READ_AT, MAX_ROWS],
    ),
    payments: await resume(
      readPayment,
      'select store_id as "storeId", payment_id as "paymentId" from payments_open_at_gateway(?, ?, ?)',
      [now(), FIRST_READ_AT, MAX_ROWS],
    ),
    orders: await resume(
      expireOrder,
      'select store_id as "storeId", order_id as "orderId" from orders_overdue(?, ?)',
      [leftBehind, MAX_ROWS],
    ),
  }
}

/** Enqueues a job for each row, whose columns are its payload, unless such a job waits or runs. Returns their number. */
async function resume<P extends TProperties>(
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
