import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { waitUntilSettled } from '#shared/platform/notify/signals.ts'
import { waitBreaker } from '#shared/platform/notify/wait-breaker.ts'
import { CardSetup, type CardSetupTarget, targetOf } from './card-setup.ts'
import { Payment } from './payment.ts'

/** The object that a buyer confirms with a client secret: a payment, or a card setup, which charges nothing. */
export type PaymentOrSetup = Payment | CardSetup

const breaker = waitBreaker()

/**
 * Waits until a worker has opened a payment or card setup at the gateway, and returns it. After `timeoutMs` it returns
 * it pending, without a client secret. It does not wait if the store's latest waits have timed out. Call it outside a
 * transaction.
 */
export function awaitOpened(storeId: string, id: string, timeoutMs: number): Promise<PaymentOrSetup> {
  const read = () => inStore(storeId, (tx) => findPaymentOrSetup(tx, id))
  // The breaker does not count a caller that does not wait.
  if (timeoutMs === 0) return read()
  return breaker({
    key: storeId,
    wait: () => waitUntilSettled(id, timeoutMs, read, isOpened),
    missed: (paymentOrSetup) => !isOpened(paymentOrSetup),
    skip: read,
  })
}

const isOpened = ({ status }: PaymentOrSetup): boolean => status !== 'pending'

/** Returns the order of a payment, or the order or subscription of a card setup. */
export const targetOfPaymentOrSetup = (paymentOrSetup: PaymentOrSetup): CardSetupTarget =>
  paymentOrSetup instanceof CardSetup ? targetOf(paymentOrSetup) : { orderId: paymentOrSetup.orderId }

/** Returns the payment or card setup with this id. */
export const findPaymentOrSetup = async (tx: StoreTx, id: string): Promise<PaymentOrSetup> =>
  (await Payment.in(tx).findById(id)) ?? (await CardSetup.in(tx).findById(id).throwIfNotFound())
