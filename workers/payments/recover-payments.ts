import { recoverPayments as job } from '#shared/payments/jobs.ts'
import { recoverPayments as recover } from '#shared/payments/recover-payments.ts'
import { handle } from '#workers/platform/handle.ts'

/** Enqueues the work of payments that has lost its notification or job. */
export const recoverPayments = handle(job, (_payload, { signal }) => recover(signal))
