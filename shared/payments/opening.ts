import { inStore } from '#shared/platform/db/store-scope.ts'
import { waitUntilSettled } from '#shared/platform/notify/signals.ts'
import { CardSetup } from './card-setup.ts'
import { Payment } from './payment.ts'

/** What a buyer confirms with a client secret: a payment, or the setup of a card without a charge. */
export type Opening = Payment | CardSetup

/**
 * Waits until a worker has opened a payment or a card setup at the gateway, and returns it. After `timeoutMs` it is
 * returned as it is: pending, without a client secret. Call it outside a transaction.
 */
export const awaitOpening = (storeId: string, id: string, timeoutMs: number): Promise<Opening> =>
  waitUntilSettled(
    id,
    timeoutMs,
    () => findOpening(storeId, id),
    ({ status }) => status !== 'pending',
  )

const findOpening = (storeId: string, id: string): Promise<Opening> =>
  inStore(
    storeId,
    async (tx) =>
      (await Payment.in(tx).findById(id)) ?? (await CardSetup.in(tx).findById(id).throwIfNotFound()),
  )
