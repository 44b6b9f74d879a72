import { inStore } from '#shared/platform/db/store-scope.ts'
import { waitUntilSettled } from '#shared/platform/notify/signals.ts'
import { Payment } from './payment.ts'

/**
 * The payment once a worker has opened it at the gateway, or as it is when `timeoutMs` have passed: pending, and
 * without a secret. Call it outside a transaction.
 */
export const awaitOpening = (storeId: string, paymentId: string, timeoutMs: number): Promise<Payment> =>
  waitUntilSettled(
    paymentId,
    timeoutMs,
    () => inStore(storeId, (tx) => Payment.in(tx).findById(paymentId).throwIfNotFound()),
    ({ status }) => status !== 'pending',
  )
