import { db } from '#shared/platform/db/db.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { inMs, MINUTE_MS, now } from '#shared/platform/time/clock.ts'
import { readPayment, returnSurplus, settleNotification } from './jobs.ts'

/** The job of a younger row may not have run yet. */
const LEFT_BEHIND_AFTER_MS = 2 * MINUTE_MS

/** A payment is read at the gateway when it is this old, and again when the time since the last read has doubled. */
const FIRST_READ_AFTER_MS = 4 * MINUTE_MS

/** The rows of one kind and store that one sweep enqueues. The next sweep takes the next ones. */
const MAX_ROWS = 500

export interface Swept {
  notifications: number
  surpluses: number
  payments: number
}

/**
 * Enqueues, in all stores, what a lost event or job has left behind: notifications that nobody handled, surpluses whose
 * return is due, and payments that have been open at the gateway for a while. A job too many is harmless: each finds its
 * work done. Returns how many it enqueued.
 */
export async function sweepPayments(): Promise<Swept> {
  const before = inMs(-LEFT_BEHIND_AFTER_MS)
  return {
    notifications: await sweep<{ provider: string; notificationId: string }>(
      'select store_id as "storeId", provider, notification_id as "notificationId" from notifications_unhandled(?, ?)',
      [before, MAX_ROWS],
      (tx, { provider, notificationId }) => enqueue(tx, settleNotification, { provider, notificationId }),
    ),
    surpluses: await sweep<{ surplusId: string }>(
      'select store_id as "storeId", surplus_id as "surplusId" from surpluses_due(?)',
      [before],
      (tx, { surplusId }) => enqueue(tx, returnSurplus, { surplusId }),
    ),
    payments: await sweep<OpenPayment>(
      `select store_id as "storeId", payment_id as "paymentId", created_at as "createdAt", read_at as "readAt"
       from payments_open_at_gateway(?, ?)`,
      [inMs(-FIRST_READ_AFTER_MS), MAX_ROWS],
      (tx, { paymentId }) => enqueue(tx, readPayment, { paymentId }),
      isReadDue,
    ),
  }
}

interface OpenPayment {
  paymentId: string
  createdAt: Date
  readAt: Date | null
}

/** Reads a payment at 4, 8, 16 … minutes of its age: an order that stays unpaid for a day costs nine reads. */
function isReadDue({ createdAt, readAt }: OpenPayment): boolean {
  if (!readAt) return true
  const ageAtReadMs = readAt.getTime() - createdAt.getTime()
  return now().getTime() - createdAt.getTime() >= 2 * ageAtReadMs
}

async function sweep<Row>(
  sql: string,
  values: (Date | number)[],
  resume: (tx: StoreTx, row: Row) => Promise<unknown>,
  isDue: (row: Row) => boolean = () => true,
): Promise<number> {
  const { rows } = await db().raw<{ rows: (Row & { storeId: string })[] }>(sql, values)
  const due = rows.filter(isDue)
  for (const row of due) await inStore(row.storeId, (tx) => resume(tx, row))
  return due.length
}
