import { sweepPayments as job } from '#shared/payments/jobs.ts'
import { sweepPayments as sweep } from '#shared/payments/sweep-payments.ts'
import { log } from '#shared/platform/log.ts'
import { handle } from '#workers/platform/handle.ts'

/** Enqueues what a lost event or job has left behind. */
export const sweepPayments = handle(job, async () => {
  const swept = await sweep()
  if (swept.notifications + swept.charges + swept.cards + swept.surpluses > 0)
    log.warn(swept, 'payments were left behind and are resumed')
})
