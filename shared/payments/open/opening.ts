import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { waitUntilSettled } from '#shared/platform/notify/signals.ts'
import { waitBreaker } from '#shared/platform/notify/wait-breaker.ts'
import { CardSetup } from '../card-setups/card-setup.ts'
import { Payment } from '../payment.ts'

/** What a buyer confirms with a client secret: a payment, or the setup of a card without a charge. */
export type Opening = Payment | CardSetup

const breaker = waitBreaker()

/**
 * Waits until a worker has opened a payment or a card setup at the gateway, and returns it. After `timeoutMs` it is
 * returned as it is: pending, without a client secret; at once, when the store's last waits were in vain. Call it outside
 * a transaction.
 */
export function awaitOpening(storeId: string, id: string, timeoutMs: number): Promise<Opening> {
  const read = () => inStore(storeId, (tx) => findOpening(tx, id))
  // Who does not want to wait learns nothing about the gateway.
  if (timeoutMs === 0) return read()
  return breaker({
    key: storeId,
    wait: () => waitUntilSettled(id, timeoutMs, read, isOpened),
    missed: (opening) => !isOpened(opening),
    skip: read,
  })
}

const isOpened = ({ status }: Opening): boolean => status !== 'pending'

/** The payment or card setup of an id. */
export const findOpening = async (tx: StoreTx, id: string): Promise<Opening> =>
  (await Payment.in(tx).findById(id)) ?? (await CardSetup.in(tx).findById(id).throwIfNotFound())
