import { type Static, Type } from 'typebox'
import { cancelPayment, chargeSavedCard, openPayment, readPayment } from '#shared/payments/jobs.ts'
import type { Payment } from '#shared/payments/payment.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { toTimestamp } from '#shared/platform/http/response-values.ts'
import { Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { findRetries, type JobRetry } from '#shared/platform/jobs/find-retries.ts'
import { sendRefund } from './jobs.ts'
import { listRefundIdsInProgress } from './refunds-in-progress.ts'

const SUBJECTS = ['payment', 'refund'] as const

export const MoneyRetryView = Shape({
  subject: Type.Enum([...SUBJECTS]),
  id: Uuid,
  attempts: Type.Integer({ description: 'Tries so far; none of them had a known outcome' }),
  error: Type.String({ description: 'Why the last one failed' }),
  next_attempt_at: Timestamp,
})

const PAYMENT_JOBS = [openPayment, chargeSavedCard, readPayment, cancelPayment]

/** Returns the payments and refunds of an order whose requests to the gateway failed and are retried. */
export async function findMoneyRetries(
  tx: StoreTx,
  orderId: string,
  payments: readonly Payment[],
): Promise<Static<typeof MoneyRetryView>[]> {
  const open = payments.filter(({ closedAtGateway }) => !closedAtGateway).map(({ id }) => id)
  const refunds = await listRefundIdsInProgress(tx, orderId)
  const ofPayments = await findRetries(tx, PAYMENT_JOBS, 'paymentId', open)
  const ofRefunds = await findRetries(tx, [sendRefund], 'refundId', refunds)
  return [
    ...ofPayments.map((retry) => viewRetry('payment', retry)),
    ...ofRefunds.map((retry) => viewRetry('refund', retry)),
  ]
}

// Other errors come from the service itself. Their text could show staff of a store details of its machines.
const OF_GATEWAY = /^The payment gateway /

const viewRetry = (subject: (typeof SUBJECTS)[number], retry: JobRetry): Static<typeof MoneyRetryView> => ({
  subject,
  id: retry.subjectId,
  attempts: retry.attempts,
  error: retry.error && OF_GATEWAY.test(retry.error) ? retry.error : 'The service could not send the request',
  next_attempt_at: toTimestamp(retry.nextAttemptAt),
})
