import { recoverPayments as job } from '#shared/payments/jobs.ts'
import { recoverPayments as recover } from '#shared/payments/recover-payments.ts'
import { log } from '#shared/platform/log.ts'
import { handle } from '#workers/platform/handle.ts'

/** Enqueues the work of payments that has lost its notification or job. */
export const recoverPayments = handle(job, async () => {
  const recovered = await recover()
  if (recovered.notifications + recovered.savedCardPayments + recovered.cards + recovered.surpluses > 0)
    log.warn(recovered, 'payments had lost a notification or a job')
})
