import { verifyAuditLogs } from '#shared/audit/jobs.ts'
import { purgeCarts } from '#shared/cart/jobs.ts'
import { enqueuePriceChanges } from '#shared/catalog/jobs.ts'
import { rerenderPages } from '#shared/content-pages/jobs.ts'
import { purgeAccountRecords } from '#shared/identity/jobs.ts'
import { purgeImportNotes } from '#shared/imports/jobs.ts'
import { enqueueDueOrders, readMissedNotifications, recoverPayments } from '#shared/payments/jobs.ts'
import { purgeIdempotencyKeys } from '#shared/platform/idempotency/purge-idempotency-keys.ts'
import { purgeRateLimits } from '#shared/platform/throttle/purge-rate-limits.ts'
import { findSuspectPayments, reconcileStores } from '#shared/reconciliation/jobs.ts'
import { recoverRefunds } from '#shared/refunds/jobs.ts'
import { rollUpReports } from '#shared/reports/jobs.ts'
import { purgeDeletedStores, purgePublishableKeys } from '#shared/stores/jobs.ts'
import { enqueueDueCharges, enqueueDueReminders } from '#shared/subscriptions/jobs.ts'
import { enqueueSupportReports, rollUpFigures } from '#shared/super-admin/jobs.ts'
import { deleteOldVisits, purgeVisitorSalts } from '#shared/visits/jobs.ts'
import { purgeDeliveries, recoverDeliveries } from '#shared/webhooks/jobs.ts'
import type { JobSchedule } from '#workers/platform/sync-schedules.ts'

const FREQUENT: readonly JobSchedule[] = [
  { cron: '* * * * *', job: recoverDeliveries },
  { cron: '* * * * *', job: recoverPayments },
  { cron: '* * * * *', job: enqueueDueCharges },
  { cron: '* * * * *', job: enqueueDueOrders },
  { cron: '* * * * *', job: enqueueSupportReports },
  { cron: '*/2 * * * *', job: readMissedNotifications },
  { cron: '*/5 * * * *', job: recoverRefunds },
  { cron: '*/5 * * * *', job: rollUpReports },
  { cron: '*/10 * * * *', job: enqueueDueReminders },
  { cron: '*/10 * * * *', job: enqueuePriceChanges },
  { cron: '*/10 * * * *', job: purgeRateLimits },
]

const HOURLY: readonly JobSchedule[] = [
  { cron: '7 * * * *', job: rollUpFigures },
  { cron: '17 * * * *', job: purgeIdempotencyKeys },
  { cron: '23 * * * *', job: purgeVisitorSalts },
  { cron: '27 * * * *', job: rerenderPages },
]

const NIGHTLY: readonly JobSchedule[] = [
  { cron: '10 2 * * *', job: reconcileStores },
  { cron: '40 2 * * *', job: findSuspectPayments },
  { cron: '50 2 * * *', job: deleteOldVisits },
  { cron: '20 3 * * *', job: purgeCarts },
  { cron: '30 3 * * *', job: purgeAccountRecords },
  { cron: '35 3 * * *', job: purgeImportNotes },
  { cron: '40 3 * * *', job: purgeDeliveries },
  { cron: '45 3 * * *', job: purgePublishableKeys },
  { cron: '50 3 * * *', job: verifyAuditLogs },
  { cron: '10 4 * * *', job: purgeDeletedStores },
]

/** Every recurring job. Each run happens once over all worker processes. Times are UTC. */
export const schedules: readonly JobSchedule[] = [...FREQUENT, ...HOURLY, ...NIGHTLY]
