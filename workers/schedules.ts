import { purgeCarts } from '#shared/cart/jobs.ts'
import { purgeAccountRecords } from '#shared/identity/jobs.ts'
import { readGatewayEvents, sweepPayments } from '#shared/payments/jobs.ts'
import { purgeIdempotencyKeys } from '#shared/platform/idempotency/purge-idempotency-keys.ts'
import { purgeRateLimits } from '#shared/platform/throttle/purge-rate-limits.ts'
import { resendStranded } from '#shared/refunds/jobs.ts'
import { purgeDeletedStores } from '#shared/stores/jobs.ts'
import { scanReminders, scanSubscriptions } from '#shared/subscriptions/jobs.ts'
import { tallyFigures } from '#shared/super-admin/jobs.ts'
import { purgeDeliveries, requeueOverdue } from '#shared/webhooks/jobs.ts'
import type { Schedule } from '#workers/platform/sync-schedules.ts'

/** Every recurring job. Each run happens once over all worker processes. Times are UTC. */
export const schedules: readonly Schedule[] = [
  { cron: '* * * * *', job: requeueOverdue },
  { cron: '* * * * *', job: sweepPayments },
  { cron: '* * * * *', job: scanSubscriptions },
  { cron: '*/2 * * * *', job: readGatewayEvents },
  { cron: '*/5 * * * *', job: resendStranded },
  { cron: '*/10 * * * *', job: purgeRateLimits },
  { cron: '7 * * * *', job: tallyFigures },
  { cron: '13 * * * *', job: scanReminders },
  { cron: '17 * * * *', job: purgeIdempotencyKeys },
  { cron: '20 3 * * *', job: purgeCarts },
  { cron: '30 3 * * *', job: purgeAccountRecords },
  { cron: '40 3 * * *', job: purgeDeliveries },
  { cron: '10 4 * * *', job: purgeDeletedStores },
]
