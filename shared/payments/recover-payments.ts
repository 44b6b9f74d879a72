import type { TProperties } from 'typebox'
import type { JobDefinition } from '#shared/platform/jobs/define-job.ts'
import { JOB_LOST_AFTER_MS } from '#shared/platform/jobs/pending-jobs.ts'
import { log } from '#shared/platform/log.ts'
import { DAY_MS, inMs, now } from '#shared/platform/time/clock.ts'
import { enqueueDueRows } from '#shared/stores/enqueue-due-rows.ts'
import { isolateStoreFailures, type RunForStore } from '#shared/stores/isolate-store-failures.ts'
import {
  applyNotification,
  chargeSavedCard,
  readPayment,
  returnSurplus,
  saveCard,
  settleCardSetup,
} from './jobs.ts'

/**
 * A notification or card is recovered for this long. One that still cannot be saved is a bug, and its job stays in the
 * dead letters.
 */
const RECOVERED_FOR_MS = 3 * DAY_MS

/** An open payment is first read at this age, and again each time its age has doubled: nine times on the first day. */
const FIRST_READ_AT = '4 minutes'

/** One run enqueues at most this many rows of each kind and store. The next run enqueues the rest. */
const MAX_ROWS = 500

export interface RecoveredPayments {
  notifications: number
  savedCardPayments: number
  cards: number
  surpluses: number
  setups: number
  payments: number
}

/**
 * Enqueues lost work in all stores, whose notification or job never arrived: unhandled notifications, due returns of
 * surpluses, payments by saved card without an outcome, unsaved cards, and payments and card setups that have been open
 * at the gateway for a while. Returns the number of jobs of each kind.
 */
export const recoverPayments = (signal?: AbortSignal): Promise<RecoveredPayments> =>
  isolateStoreFailures(async (runForStore) => {
    const recovered = await enqueueAllLost(runForStore)
    if (recovered.notifications + recovered.savedCardPayments + recovered.cards + recovered.surpluses > 0)
      log.warn(recovered, 'payments had lost a notification or a job')
    return recovered
  }, signal)

async function enqueueAllLost(runForStore: RunForStore): Promise<RecoveredPayments> {
  const enqueueLost = <P extends TProperties>(
    job: JobDefinition<P>,
    sql: string,
    values: (Date | number | string)[],
  ) => enqueueDueRows(runForStore, job, sql, values)
  const lostBefore = inMs(-JOB_LOST_AFTER_MS)
  return {
    notifications: await enqueueLost(
      applyNotification,
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
  }
}
